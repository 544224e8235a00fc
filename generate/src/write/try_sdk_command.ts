/** The command `try-sdk`: judges a generated client by the tests of the SDK that it takes over. */
import { join, resolve } from "node:path";
import { generate } from "../generate.ts";
import { compile, countCalls, runTests } from "../trial/checks.ts";
import { startMock } from "../trial/mock_server.ts";
import { findTools, isOperationTest, readProject } from "../trial/project.ts";
import { type Outcomes, trialLines } from "../trial/report.ts";
import { TrialError } from "../trial/trial_error.ts";
import { SIDES, TRIAL_FOLDER, writeWorkspace } from "../trial/workspace.ts";
import { optionsOf, parseCommand } from "./arguments.ts";
import { helpRow, helpRows, helpTable, type OwnArguments } from "./help.ts";
import { readerBeside } from "./input.ts";
import { documentText, mockDocumentOf, sdkText } from "./sdk_folder.ts";
import { flagOf, linesOf } from "../options/table.ts";
import { UsageError } from "./outputs.ts";
import { type CommandIo, shown } from "./terminal.ts";

/** The arguments that only this command has. */
const own: OwnArguments = {
  document: {
    argument: "FILE",
    help: "the OpenAPI document; default: the one in scripts/mock of the SDK",
  },
  "no-run": { help: "compiles only: runs neither tests nor a mock server" },
};

/** The text of `try-sdk --help`. */
export const TRY_SDK_HELP: string =
  `Judges the client that would take over an SDK by Stainless: by the SDK's own tests, README and examples.

  npx @restwright/generate try-sdk FOLDER [options]

FOLDER is the repository of the SDK, with its packages installed. The command runs the code of the SDK:
its compiler, its test runner and its tests, and the mock server of scripts/mock, which npm downloads.
It writes to FOLDER/${TRIAL_FOLDER} only.

${
    helpTable([
      ...helpRows(own),
      ...linesOf("try-sdk").map(([name, , line]) => helpRow(flagOf(name), line)),
    ])
  }

It ends with 0 if all that passes with the original passes with the generated client, with 1 if not, and
with 2 if it could not find out.`;

/**
 * Runs the command.
 *
 * @param args The arguments after `try-sdk`
 * @param io The surroundings
 * @returns The exit code
 */
export async function runTrySdk(args: readonly string[], io: CommandIo): Promise<number> {
  const { values, positionals } = parseCommand("try-sdk", args, own);
  if (values["help"] === true) {
    io.print(TRY_SDK_HELP);
    return 0;
  }
  const [named, ...others] = positionals;
  if (named === undefined || others.length > 0) {
    throw new UsageError(`there must be one folder of an SDK, not ${positionals.length}`);
  }
  const folder = resolve(named);
  io.printError(`this runs the code of ${shown(folder)}: its tools in node_modules, and its tests`);
  const project = await readProject(folder);
  const tools = await findTools(folder);
  const path = values["document"] as string | undefined;
  const source = path ?? mockDocumentOf(folder);
  const document = await documentText(source);
  const options = await optionsOf("try-sdk", values);
  const isStated = options.sdk !== undefined || options.apiMd !== undefined;
  const { files, report } = await generate(document, {
    ...{ ...options, sdk: isStated ? options.sdk : await sdkText(folder) },
    file: source,
    read: await readerBeside(path ?? join(folder, "openapi.json")),
  });
  const workspace = await writeWorkspace(project, { files, document, tools });

  io.printError("compiling the tests, the examples and the README");
  const problems = {
    original: await compile(project, tools, workspace, "original"),
    generated: await compile(project, tools, workspace, "generated"),
  };
  const outcomes: { -readonly [Side in keyof Outcomes]: Outcomes[Side] } = {
    original: { problems: problems.original, tests: [], unloaded: [] },
    generated: { problems: problems.generated, tests: [], unloaded: [] },
  };
  if (values["no-run"] !== true) {
    if (project.mockScript === undefined) {
      throw new TrialError(`${folder} has no scripts/mock: pass --no-run to compile only`);
    }
    io.printError("starting the mock server");
    const mock = await startMock(project.mockScript, workspace.document);
    try {
      for (const side of SIDES) {
        io.printError(`running the tests with the ${side} client`);
        const ran = await runTests(project, tools, workspace, side, mock.url);
        outcomes[side] = { ...outcomes[side], ...ran };
        if (
          side === "original" &&
          !ran.tests.some((each) => isOperationTest(each.file) && each.status === "passed")
        ) {
          const first = [...ran.tests, ...ran.unloaded].find(({ file, message }) =>
            isOperationTest(file) && message !== ""
          );
          throw new TrialError(
            `no test of an operation passes with the original: ${
              first?.message ?? "there is none"
            }`,
          );
        }
      }
    } finally {
      await mock.stop();
    }
  }
  const calls = await countCalls(project, project.sources.filter(isOperationTest));
  const missing = report.problems.filter(({ message }) =>
    message.startsWith("the document has no")
  );
  const methods = { generated: report.operations, missing: missing.length };
  const lines = trialLines(project, outcomes, { calls, methods });
  for (const line of lines.lines) io.print(shown(line));
  return lines.isAsGood ? 0 : 1;
}
