import { assertEquals, describe, it } from "#test";
import { readStainless } from "../../src/sdk/config.ts";

function ignoredOf(text: string): string[] {
  return readStainless(text).ignored.map(({ key, count, line, lost }) =>
    `${line} ${key} ${count} ${lost}`
  );
}

describe("the settings of stainless.yml that have no effect", () => {
  it("are listed once each, with their first line, and what the client loses without them", () => {
    assertEquals(
      ignoredOf(`organization:
  name: harbour
  docs: https://docs.harbour.example
  contact: hello@harbour.example
targets:
  typescript: {package_name: harbour}
  python: {package_name: harbour}
readme: {example_requests: {default: {endpoint: get /boats}}}
settings: {license: MIT, disable_mock_tests: true}
client_settings:
  opts:
    token: {type: string, example: abc, required_in_tests: true}
    account_id: {type: string, send_as_path_param: account_id}
    dock_id: {type: string, send_as_path_param: dock_id}
resources:
  boats:
    terraform: true
    methods:
      list: {endpoint: get /boats, mcp: false, skip_test_reason: Slow.}
      sail: {endpoint: post /sail, mcp: false, default_request_options: {timeout: 1}}
      unwrap: {type: webhook_unwrap, discriminator: type}
      talk: {type: websocket, path: /talk}
    subresources:
      crew:
        methods:
          list: {endpoint: get /crew, mcp: false}
streaming:
  on_event:
    - {kind: event, event_type: ping, handle: continue}
surprise: 7
`),
      [
        "3 organization.docs 1 nothing",
        "4 organization.contact 1 nothing",
        "5 targets 1 nothing",
        "8 readme 1 nothing",
        "9 settings.license 1 nothing",
        "9 settings.disable_mock_tests 1 nothing",
        "12 client_settings.opts.*.example 1 nothing",
        "12 client_settings.opts.*.required_in_tests 1 nothing",
        "13 client_settings.opts.*.send_as_path_param 2 client",
        "17 resources.*.terraform 1 nothing",
        "19 resources.*.methods.*.mcp 2 nothing",
        "19 resources.*.methods.*.skip_test_reason 1 nothing",
        "20 resources.*.methods.*.default_request_options 1 client",
        "21 resources.*.methods.* (webhook_unwrap) 1 client",
        "22 resources.*.methods.* (websocket) 1 client",
        "26 resources.*.subresources.*.methods.*.mcp 1 nothing",
        "29 streaming.on_event.* (event, continue) 1 client",
        "30 surprise 1 nothing",
      ],
    );
  });

  it("are none if each setting has an effect", () => {
    assertEquals(
      ignoredOf(`organization: {name: harbour}
environments: {production: https://api.harbour.example}
client_settings:
  opts: {token: {type: string, nullable: null, auth: {security_scheme: token}, read_env: TOKEN}}
pagination:
  - name: boat_page
    type: cursor
    description: Pages of boats.
    continue_on_empty_items: true
    request:
      cursor:
        type: string
        description: The place.
        x-stainless-pagination-property: {purpose: next_cursor_param}
      limit: {type: integer, default: 20}
    response:
      data: {type: array, items: {type: object, properties: {id: {type: string}}}}
      next: {type: string, nullable: true, x-stainless-pagination-property: {purpose: next_cursor_field}}
resources:
  boats:
    models: {boat: Boat, mast: null}
    methods: {list: get /boats, sink: {endpoint: post /sink, skip: [go]}}
  docks: {skip: true, methods: {list: {endpoint: get /docks, mcp: true}}}
`),
      [],
    );
  });
});
