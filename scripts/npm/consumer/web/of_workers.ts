/** Behavior of worker runtimes, which here equals that of servers. */
import { APIError, APISession } from "@restwright/restwright";
import { Reading } from "./library.ts";
import { check, type Echo, errorOf, type Scene } from "./scene.ts";

/** The scenes that apply to worker runtimes only. */
export const ofWorkers: Readonly<Record<string, Scene>> = {
  async "the User-Agent names the runtime"({ url }) {
    const { headers } = await new Reading({ url, vendor: "acme" }).get<Echo>("echo");
    const agent = headers["user-agent"] ?? "";
    check(agent, /^Integration\/1\.0 \(acme; .* Cloudflare-Workers\/0\.0\.0; /.test(agent));
  },

  async "a session stores cookies"({ url }) {
    const session = new Reading({ url });
    await session.get("visits");
    const { cookie } = await session.get<{ cookie: string }>("visits");
    check("they are sent with the next request", cookie === "visited=yes");
  },

  async "a redirect that is not followed is an error"({ url }) {
    const session = new APISession({ url });
    const error = await errorOf(session.get("moved", { followRedirects: false }), APIError);
    check("it has the status", error.status === 302);
  },
};
