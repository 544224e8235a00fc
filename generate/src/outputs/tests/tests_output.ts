/** The tests of an SDK: a call of each method with samples. */

import { OptionError } from "../../base/errors.ts";
import { FIRST_LINE_OF_TESTS } from "../../base/first_line.ts";
import type { MethodGroup } from "../../model/mod.ts";
import { ownFiles } from "../../print/sdk_files.ts";
import type { OutputKind } from "../output.ts";
import { printPrograms } from "./programs.ts";
import { printTests, printWebhookTests } from "./tests.ts";

/**
 * The tests of an SDK. Each calls a method with samples and a mock transport, and checks the request
 * and the result.
 */
export const tests: OutputKind = {
  name: "tests",
  help: "writes a test for each operation to the folder, such as tests: it calls the method with " +
    "samples and a mock transport, and checks the request and the result. Run them with deno test, " +
    "node --test or bun test",
  options: {},
  ending: "_test.ts",
  repositoryFolder: "tests/api",
  with({ sdk }) {
    if (sdk === "") throw new OptionError("sdk must be a specifier such as ../src/api/mod.ts");
    return {
      name: "tests",
      needs: ["tests"],
      files(model, { toolkit, guide }) {
        const texts: [string, string | undefined][] = model.groups.map((
          group,
        ) => [testFileOf(group), printTests(group, model, { toolkit, sdk })]);
        if (model.webhookReader !== undefined) {
          const text = printWebhookTests(model.webhookReader, model, { toolkit, sdk });
          texts.push(["the_webhooks_test.ts", text]);
        }
        const programs = guide && printPrograms(guide, { toolkit, sdk });
        if (programs !== undefined) texts.push(["the_readme_test.ts", programs]);
        const written = texts.filter((each): each is [string, string] => each[1] !== undefined);
        return ownFiles(new Map(written), FIRST_LINE_OF_TESTS);
      },
    };
  },
};

/** Returns the file of a group's tests. All of them are in one folder. */
function testFileOf({ place, file }: MethodGroup): string {
  // No file in a folder of another group has an underscore.
  const name = place === "client" ? "the_client" : file.replaceAll("/", "_");
  return `${name}_test.ts`;
}
