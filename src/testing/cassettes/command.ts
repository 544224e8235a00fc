/** The command `redact-cassette`, which replaces the secrets in files of cassettes. */
import { isPlain } from "../../base/checks.ts";
import { RestwrightError } from "../../errors/base_error.ts";
import { builtinModule } from "../../base/runtime.ts";
import { type CassetteData, cassetteText } from "./cassette_data.ts";
import { cassetteFile } from "./cassette_file.ts";
import { readHar } from "./har.ts";
import { parseCassette } from "./parse_cassette.ts";
import { checkedRedaction, redactCassette, type RedactionOptions } from "./redact_cassette.ts";

/** The parts of the process that the command uses. */
export interface CommandContext {
  /** The environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Prints a line. */
  readonly print: (line: string) => void;
  /** Prints a line about a failure. */
  readonly printError: (line: string) => void;
}

/** The part of `node:util` that is used. */
interface Util {
  parseArgs(config: object): {
    readonly values: Readonly<Record<string, boolean | string | readonly string[] | undefined>>;
    readonly positionals: readonly string[];
  };
}

const USAGE = `Usage: restwright redact-cassette [options] FILE…

Replaces the secrets in cassettes by placeholders.

  --field NAME     the name of a field with a secret; can be repeated
  --path PATTERN   a path with a secret, such as /reset/:token; can be repeated
  --secret NAME    the name of an environment variable with a secret; can be repeated
  --output FILE    the file to write; required if FILE is a HAR file (default: FILE itself)
  --check          write nothing, and exit with 1 if a file has secrets
  --quiet          print errors only
  --help           show this text`;

const options = {
  check: { type: "boolean" },
  field: { type: "string", multiple: true },
  help: { type: "boolean" },
  output: { type: "string" },
  path: { type: "string", multiple: true },
  quiet: { type: "boolean" },
  secret: { type: "string", multiple: true },
};

/** An error of the command line. Its message is for the person who wrote it. */
class UsageError extends Error {}

/**
 * Runs the command `redact-cassette`.
 *
 * @param args The arguments, which begin with the name of the command
 * @returns The exit code: 0 for success, 1 if `--check` found secrets, 2 for a failure
 */
export async function runCommand(
  args: readonly string[],
  { env, print, printError }: CommandContext,
): Promise<number> {
  try {
    const { values, positionals } = parsed(args);
    const [command, ...files] = positionals;
    if (values["help"]) {
      print(USAGE);
      return 0;
    }
    if (command !== "redact-cassette" || files.length === 0) throw new UsageError(USAGE);
    if (values["output"] !== undefined && files.length > 1) {
      throw new UsageError("--output is for one FILE only");
    }
    const found = redactionOf(values, env);
    checkedRedaction(found);
    let changed = 0;
    for (const file of files) {
      const output = values["output"] as string | undefined;
      const isChanged = await redactFile(file, found, {
        output,
        isChecked: values["check"] === true,
        print: values["quiet"] === true ? () => {} : print,
      });
      if (isChanged) changed++;
    }
    return values["check"] && changed > 0 ? 1 : 0;
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof RestwrightError)) throw error;
    printError(error.message);
    return 2;
  }
}

function parsed(args: readonly string[]): ReturnType<Util["parseArgs"]> {
  const util = builtinModule<Util>("node:util");
  if (util === undefined) throw new UsageError("this command requires Deno, Node or Bun");
  try {
    return util.parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${Object(error).message}\n\n${USAGE}`);
  }
}

function redactionOf(
  values: ReturnType<Util["parseArgs"]>["values"],
  env: CommandContext["env"],
): RedactionOptions {
  const listOf = (name: string) => (values[name] ?? []) as readonly string[];
  const secrets = listOf("secret").map((name) => {
    const value = env[name];
    if (!value) throw new UsageError(`--secret ${name}: the environment has no such variable`);
    return [name, value] as const;
  });
  return {
    redactFields: listOf("field"),
    redactPaths: listOf("path"),
    secrets: Object.fromEntries(secrets),
  };
}

/** Redacts a file. Returns true if it had secrets. */
async function redactFile(
  path: string,
  redaction: RedactionOptions,
  { output, isChecked, print }: {
    readonly output: string | undefined;
    readonly isChecked: boolean;
    readonly print: (line: string) => void;
  },
): Promise<boolean> {
  const text = await cassetteFile(path).read();
  if (text === undefined) throw new UsageError(`there is no file ${path}`);
  const isHarFile = isHar(text);
  const data: CassetteData = isHarFile ? await readHar(text) : parseCassette(text, path);
  const redacted = cassetteText(redactCassette(data, redaction));
  const isChanged = redacted !== cassetteText(data);
  if (isChecked) {
    print(`${path}: ${isChanged ? "has secrets" : "has no secrets"}`);
    return isChanged;
  }
  if (isHarFile && output === undefined) {
    throw new UsageError(`${path} is a HAR file: pass --output FILE for the cassette`);
  }
  if (isChanged || output !== undefined) await cassetteFile(output ?? path).write(redacted);
  print(`${path}: ${isChanged ? "redacted" : "has no secrets"}`);
  return isChanged;
}

function isHar(text: string): boolean {
  try {
    const { log } = JSON.parse(text.replace(/^\ufeff/, ""));
    return isPlain(log) && "entries" in log;
  } catch {
    return false;
  }
}
