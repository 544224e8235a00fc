import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, assertEquals, before, describe, it } from "#test";
import { documentsFrom } from "../../../scripts/corpora/documents.ts";
import { runChild } from "../../../scripts/shared/child.ts";

describe("the documents of a folder with clones", () => {
  let root: string;
  const clone = () => join(root, "clones/acme/specs");
  const git = async (...args: readonly string[]) => {
    const name = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
    return (await runChild("git", ["-C", clone(), ...name, ...args])).stdout.trim();
  };

  before(async () => {
    root = await mkdtemp(join(tmpdir(), "restwright-corpora-"));
    await mkdir(join(clone(), "api"), { recursive: true });
    await writeFile(join(clone(), "api/pets.yaml"), "openapi: 3.1.0\n");
    await writeFile(join(clone(), "shared.yaml"), "one: 1\n");
    await git("init", "-q");
    await git("add", ".");
    await git("commit", "-q", "-m", "first");
    const commit = await git("rev-parse", "HEAD");
    await writeFile(join(clone(), "api/pets.yaml"), "openapi: 3.2.0\n");
    await git("commit", "-q", "-a", "-m", "second");
    const sources = [
      { name: "Pets", repo: "acme/specs", commit, path: "api/pets.yaml" },
      { name: "cats", repo: "acme/others", commit, path: "cats.yaml" },
    ];
    await mkdir(join(root, "scripts/corpora"), { recursive: true });
    await writeFile(join(root, "scripts/corpora/sources.json"), JSON.stringify(sources));
  });
  after(async () => {
    await rm(root, { recursive: true, force: true });
  });

  it("are those of their commits, with the files beside them", async () => {
    const { documents, missing } = await documentsFrom(root, join(root, "clones"), []);
    assertEquals(documents.map(({ name, text }) => [name, text]), [["pets", "openapi: 3.1.0\n"]]);
    assertEquals(await documents[0]!.read("../shared.yaml"), "one: 1\n");
    assertEquals(await documents[0]!.read("none.yaml"), undefined);
    assertEquals(missing, ["cats"]);
  });

  it("are chosen by the beginnings of their names", async () => {
    const { documents, missing } = await documentsFrom(root, join(root, "clones"), ["ca"]);
    assertEquals([documents, missing], [[], ["cats"]]);
  });
});
