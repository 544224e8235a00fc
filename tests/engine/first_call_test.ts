/** The first call of a program, which loads what it needs: this file makes no other before it. */
import { assert, assertEquals, assertStrictEquals, describe, it } from "#test";
import { APISession } from "../../mod.ts";
import { scripted } from "../support/scripted.ts";

/** Something of a runtime's own, that is more than the fields one sees. */
class Agent {
  #sockets = 7;
  get sockets(): number {
    return this.#sockets;
  }
}

describe("the first call of a program", () => {
  it("gives the transport the very things of fetchOptions, as they were when it was made", async () => {
    const transport = scripted(200);
    const session = new APISession({ url: "https://a.example", adapter: transport });
    const hidden = Symbol("hidden");
    const dispatcher = Object.assign(new Agent(), { [hidden]: { size: 1 } });
    const given: Record<string, unknown> = { dispatcher, cf: { ttl: 1 } };
    const data: Record<string, string> = { a: "1" };
    const adapters: Record<string, typeof transport> = { "https://": transport };
    const call = session.post("x", { fetchOptions: given, data, adapters });
    given["dispatcher"] = undefined;
    data["a"] = "2";
    delete adapters["https://"];
    await (await call).body?.cancel();
    const [{ init }] = transport.calls as [typeof transport.calls[0] & object];
    const sent: unknown = Reflect.get(init, "dispatcher");
    assertStrictEquals(sent, dispatcher);
    assert(sent instanceof Agent && sent.sockets === 7 && hidden in sent);
    assertEquals([Reflect.get(init, "cf"), String(init.body)], [{ ttl: 1 }, "a=1"]);
  });
});
