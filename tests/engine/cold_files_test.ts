import { assertEquals, describe, it } from "#test";
import { APISession } from "../../mod.ts";
import { scripted } from "../support/scripted.ts";

// In a file of its own: what makes such bodies is not loaded yet.
describe("a body in the first call of a program", () => {
  it("may be a file or a form with fields of its own", async () => {
    const transport = scripted(200);
    const session = new APISession({ url: "https://a.example", adapter: transport });
    const tagged = () => Object.assign(new File(["x"], "n.txt"), { path: "here" });
    const form = Object.assign(new FormData(), { from: "somebody" });
    form.set("a", "1");
    const frozen = Object.create(Object.freeze({ a: "0" }), {
      a: { value: "1", enumerable: true },
    });
    await Promise.all([
      session.post("x", { files: { f: tagged() } }),
      session.post("x", { files: { f: ["other.txt", tagged()] } }),
      session.post("x", { data: form }),
      session.post("x", { data: frozen }),
    ]);
    const [one, other, whole, last] = transport.calls.map(({ init: { body } }) => body);
    const names = [one, other].map(async (sent) =>
      /filename="([^"]*)"/.exec(await new Response(sent as FormData).text())?.[1]
    );
    assertEquals(await Promise.all(names), ["n.txt", "other.txt"]);
    assertEquals([(whole as FormData).get("a"), String(last)], ["1", "a=1"]);
  });
});
