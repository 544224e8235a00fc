/** The pages for the users of an SDK: the sections of its README, and its reference. */

import { OptionError } from "../../base/errors.ts";
import { FIRST_LINE_OF_PAGES } from "../../base/first_line.ts";
import { unformatted } from "../../base/marked_part.ts";
import type { OutputKind, OutputOptions } from "../output.ts";
import { folderOf, relativePath } from "./paths.ts";
import { printReadme } from "./readme.ts";
import { planReference } from "./reference.ts";
import { printReference } from "./reference_pages.ts";

/** The options of the pages. */
export interface DocsOptions extends OutputOptions {
  /** The path of the README, as `folder` has its own. Default: `README.md` in the folder */
  readonly readme?: string | undefined;
  /** The name of the package on npm. Default: `@example/` with the name of the client */
  readonly npm?: string | undefined;
  /** The name of the package on JSR. None by default. */
  readonly jsr?: string | undefined;
  /** The operation of the first call in the README, such as `GET /pets`. */
  readonly firstCall?: string | undefined;
}

/** The names of packages that are safe in a command. */
const PACKAGE = /^(?:@[a-z\d~-][a-z\d._~-]*\/)?[a-z\d~][a-z\d._~-]*$/;

/** The pages for the users of an SDK. */
export const docs: OutputKind<DocsOptions> = {
  name: "docs",
  help: "writes pages for the users of the SDK to the folder, such as docs: a reference of all " +
    "methods and types, and the sections of a README. With --tests, each program in them has a test",
  options: {
    readme: {
      argument: "FILE",
      help: "the README that gets the sections, between two comments; what you write outside of " +
        "them stays; default: README.md in the folder",
    },
    npm: {
      argument: "NAME",
      help: "the name of the package on npm; default: @example/ with the name of the client",
    },
    jsr: { argument: "NAME", help: "the name of the package on JSR, if it is there" },
    firstCall: {
      argument: "OPERATION",
      help: 'the operation of the first call in the README, such as "GET /pets"; default: that ' +
        "with x-restwright-first-call, or else a list of the tag with the most operations",
    },
  },
  ending: ".md",
  folders: ["reference"],
  repositoryFolder: "docs",
  repositoryOptions: { readme: "README.md" },
  with({ folder = "docs", readme = `${folder}/README.md`, npm, jsr, firstCall }) {
    for (const [name, value] of Object.entries({ npm, jsr })) {
      if (value === undefined || PACKAGE.test(value)) continue;
      throw new OptionError(
        `${name} must be the name of a package, such as @acme/pets, not ${JSON.stringify(value)}`,
      );
    }
    return {
      name: "docs",
      needs: ["examples", "tests"],
      guide: { npm, jsr, firstCall },
      files(model, { guide }) {
        const readmePath = relativePath(folder, readme);
        const reference = planReference(model);
        const files = new Map<string, string>();
        for (
          const [path, text] of printReference(reference, { readme: readmePath, guide: guide! })
        ) {
          files.set(path, `${FIRST_LINE_OF_PAGES}\n${unformatted(text)}\n`);
        }
        const toFolder = relativePath(folderOf(readme), folder);
        files.set(
          readmePath,
          printReadme(guide!, reference, toFolder === "" ? "" : `${toFolder}/`),
        );
        return files;
      },
    };
  },
};
