import { APIError } from "../../../mod.ts";
import type { Fault } from "./fault.ts";
import { badGateway, lost, stalled, status, whole } from "./outcomes.ts";
import { head, lengthOf, response, wholeResponse } from "./response_bytes.ts";

/** Returns a response with another status line. */
function line(name: string, text: string, rest: Omit<Fault, "name" | "send">): Fault {
  return { name, send: response(text), ...rest };
}

const apiError = status(APIError);

/** Servers that send odd status lines. nginx and squid take some of them for HTTP/0.9. */
export const statusLineFaults: readonly Fault[] = [
  line("sends no reason phrase", "HTTP/1.1 200", { then: "keep", outcome: whole }),
  line("answers by HTTP/1.0", "HTTP/1.0 200 OK", { outcome: whole }),
  line("sends the status 299", "HTTP/1.1 299 Fine", { then: "keep", outcome: apiError }),
  line("sends the status 600", "HTTP/1.1 600 Odd", { outcome: apiError, squid: badGateway }),
  line("sends the status 099", "HTTP/1.1 099 Low", {
    outcome: lost,
    except: { Bun: apiError },
    nginx: null,
    squid: badGateway,
  }),
  line("sends a status with a letter", "HTTP/1.1 20x OK", { outcome: lost, nginx: null }),
  line("sends a status of four digits", "HTTP/1.1 2000 OK", { outcome: lost, nginx: null }),
  line("names HTTP/1.2", "HTTP/1.2 200 OK", {
    outcome: lost,
    except: { Bun: whole },
    nginx: whole,
    squid: whole,
  }),
  line("names HTTP/2.0", "HTTP/2.0 200 OK", {
    outcome: lost,
    except: { Node: whole },
    nginx: whole,
    squid: null,
  }),
  line("names another protocol", "ICY 200 OK", { outcome: lost, nginx: null, squid: null }),
  line("speaks SSH", "SSH-2.0-OpenSSH_9.6", { outcome: lost, nginx: null, squid: null }),
  line("speaks TLS", "\x16\x03\x01\x02\x00\x01\x00", {
    outcome: lost,
    nginx: null,
    squid: null,
  }),
  {
    name: "sends a body without a head",
    send: (body) => body,
    outcome: lost,
    nginx: null,
    squid: null,
  },
  line("separates the status line by two spaces", "HTTP/1.1  200  OK", {
    outcome: lost,
    except: { Bun: whole },
    nginx: whole,
    squid: badGateway,
  }),
  line("sends empty lines before the status line", "\r\n\r\nHTTP/1.1 200 OK", {
    outcome: whole,
    except: { Bun: lost },
    nginx: null,
    squid: null,
  }),
  line("sends a reason phrase of 1 MB", `HTTP/1.1 200 ${"x".repeat(1_000_000)}`, {
    outcome: whole,
    except: { Deno: lost },
    nginx: badGateway,
    squid: null,
  }),
  line("sends a NUL in the reason phrase", "HTTP/1.1 200 O\0K", {
    outcome: lost,
    except: { Node: whole },
    nginx: null,
    squid: badGateway,
  }),
  {
    name: "ends lines with only a line feed",
    send: (body) => head(lengthOf(body)).replaceAll("\r\n", "\n") + body,
    outcome: whole,
    except: { Node: lost },
    nginx: whole,
    squid: whole,
  },
];

/** Returns a response with another field. */
function field(name: string, text: string, rest: Omit<Fault, "name" | "send">): Fault {
  return { name, send: (body) => head(lengthOf(body), text) + body, ...rest };
}

/** Servers that send bad header fields. */
export const headerFaults: readonly Fault[] = [
  field("sends a space before a colon", "X-Name : value", {
    outcome: lost,
    except: { "Node 22": whole },
    nginx: badGateway,
    squid: whole,
  }),
  field("sends a header line without a colon", "garbage", { outcome: lost, nginx: whole }),
  field("folds a header line", "X-Name: value\r\n more", {
    outcome: lost,
    except: { "Node 22": whole },
    nginx: badGateway,
    squid: whole,
  }),
  field("sends a NUL in a header", "X-Name: a\0b", { outcome: lost }),
  field("sends a carriage return in a header", "X-Name: a\rb", {
    outcome: lost,
    squid: whole,
  }),
  field("sends 200 headers", Array(200).fill("X-Name: value").join("\r\n"), {
    outcome: whole,
    except: { Deno: lost },
    nginx: null,
    squid: null,
  }),
  field("sends a header of 20 kB", `X-Name: ${"x".repeat(20_000)}`, {
    outcome: whole,
    except: { Node: lost },
    nginx: badGateway,
    squid: null,
  }),
  field("sends a header of 1 MB", `X-Name: ${"x".repeat(1_000_000)}`, {
    outcome: lost,
    except: { Bun: whole },
    nginx: badGateway,
    squid: badGateway,
  }),
];

const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";
const PROCESSING = "HTTP/1.1 102 Processing\r\n\r\n";
const HINTS = "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n";

/** Servers that send interim responses. nginx takes one for the final response. */
export const interimFaults: readonly Fault[] = [
  {
    name: "sends a 100 that nobody asked for",
    send: (body) => CONTINUE + wholeResponse(body),
    then: "keep",
    outcome: whole,
    except: { Node: lost },
    nginx: null,
    squid: null,
  },
  {
    name: "sends early hints",
    send: (body) => HINTS + wholeResponse(body),
    then: "keep",
    outcome: whole,
    nginx: null,
  },
  {
    name: "sends a 102 twenty times",
    send: (body) => PROCESSING.repeat(20) + wholeResponse(body),
    then: "keep",
    outcome: whole,
    nginx: null,
  },
  {
    name: "closes the connection after a 103",
    send: () => HINTS,
    outcome: lost,
    nginx: null,
  },
  {
    name: "stays silent after a 103",
    send: () => HINTS,
    then: "silence",
    outcome: stalled,
    nginx: null,
  },
  {
    name: "switches the protocol although nobody asked for it",
    send: () =>
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: unknown\r\nConnection: upgrade\r\n\r\n",
    outcome: lost,
    except: { Deno: apiError },
    nginx: null,
    squid: badGateway,
  },
];
