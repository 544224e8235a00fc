import { assertEquals, describe, it } from "#test";
import {
  repositoryAddress,
  repositoryFile,
  withRepositoryLinks,
} from "../../../../scripts/shared/pages/repository_links.ts";

const address = "https://git.example.com/some/project";

describe("repositoryAddress", () => {
  for (const url of [`git+${address}.git`, `${address}.git`, `${address}/`, address]) {
    it(`reads ${url}`, () => {
      assertEquals(repositoryAddress({ repository: { type: "git", url } }), address);
    });
  }

  it("is undefined without a repository", () => {
    assertEquals(repositoryAddress({}), undefined);
  });
});

describe("repositoryFile", () => {
  for (
    const [target, file] of [
      ["../examples/client.ts", "examples/client.ts"],
      ["../README.md#runtimes", "README.md#runtimes"],
      ["../src/", "src/"],
      ["errors.md", undefined],
      ["./errors.md#statuses", undefined],
      ["../docs/errors.md", undefined],
      ["#statuses", undefined],
      ["project/contract.md#paging", undefined],
      ["/reference", undefined],
      ["https://example.com/a.ts", undefined],
      ["mailto:ada@example.com", undefined],
    ] as const
  ) {
    it(`of ${target} is ${file}`, () => {
      assertEquals(repositoryFile("docs/a.md", target), file);
    });
  }

  it("is relative to the page", () => {
    const from = "docs/project/contract.md";
    assertEquals(repositoryFile(from, "../../src/"), "src/");
    assertEquals(repositoryFile(from, "../errors.md"), undefined);
  });
});

describe("withRepositoryLinks", () => {
  const page = "See [the client](../examples/client.ts#L3), [errors](errors.md#of-a-call), " +
    "[below](#more) and [the standard](https://example.com/a.ts).";
  const withLinks = (repository: string | undefined): string =>
    withRepositoryLinks("docs/a.md", page, (path) => path === "docs/errors.md", repository);

  it("leads links to other files to the repository", () => {
    assertEquals(
      withLinks(address),
      page.replace("../examples/client.ts", `${address}/blob/main/examples/client.ts`),
    );
  });

  it("keeps the texts of these links if the address is not known", () => {
    assertEquals(withLinks(undefined), page.replace(/\[the client\]\([^)]*\)/, "the client"));
  });
});
