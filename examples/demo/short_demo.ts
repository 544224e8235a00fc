import type { Logger, LogLevel, SessionOptions } from "../../mod.ts";
import { type LibraryApi, startLibraryApi } from "../library_api.ts";
import { Library } from "../library_client.ts";
import { bodyOf, lineWith, unlessDenied } from "./source_code.ts";
import { shortScenes } from "./short_scenes.ts";
import { makeStage, type Stage, type StageOptions } from "./stage.ts";

/** The objects that a scene of the short demo uses. */
export interface ShortProps {
  /** The options of all sessions. */
  readonly options: SessionOptions;
  /** A session that is not logged in. */
  readonly library: Library;
  /** The API that the sessions call. */
  readonly api: LibraryApi;
  /** The output of the demo. */
  readonly stage: Stage;
  /** The user name and the password of a member. */
  readonly ada: typeof ADA;
  /** The password of a new member. */
  readonly password: typeof PASSWORD;
}

/** A member of the library. The demo must not print the password. */
export const ADA = { username: "ada", password: "countess-1815" } as const;

/** The password of a new member. The demo must not print it. */
export const PASSWORD = "rear-admiral-1906";

/** One part of the short demo. */
export interface ShortScene {
  readonly title: string;
  /** Plays the scene, and returns its result. Its source is in short_scenes.ts. */
  readonly play: (props: ShortProps) => Promise<string>;
  /** The line of the SDK that does it: a path below examples, and a part of the line. */
  readonly sdk: readonly [path: string, part: string];
  /** The line of the document from which the SDK was generated. Default: the SDK is written by hand */
  readonly document?: readonly [path: string, part: string];
  /** The lowest level of the log that is shown. Default: no log */
  readonly log?: "debug" | "warn";
  /** True if the result describes an error. */
  readonly isError?: boolean;
}

/**
 * Starts the library's API, plays short scenes with its client, each with its code, and stops the
 * API again. The API is also stopped if a scene fails. Without the permission to read the files of
 * the examples, no code is shown.
 *
 * @param options The options of the stage. Their clock also measures the clients' waits.
 * @param scenes The scenes. Default: all
 */
export async function runShortDemo(
  options: StageOptions,
  scenes: readonly ShortScene[] = shortScenes,
): Promise<void> {
  const stage = makeStage(options);
  const api = await startLibraryApi();
  try {
    let shown: ShortScene["log"];
    const logger = filteredLogger(stage.logger, () => shown);
    const settings = { url: api.url, logger, clock: options.clock };
    const library = new Library(settings);
    stage.open("Restwright: an SDK (examples/library_client.ts) calls an API on this machine", []);
    for (const scene of scenes) {
      shown = scene.log;
      const { document } = scene;
      const code = await unlessDenied(Promise.all([
        bodyOf("demo/short_scenes.ts", scene.play.name),
        ...[...document === undefined ? [] : [document], scene.sdk].map((each) =>
          lineWith(...each)
        ),
      ]));
      stage.scene(scene.title);
      if (code !== undefined) {
        const [{ lines }, ...sources] = code;
        stage.code(lines);
        for (const { path, line, lines } of sources) {
          stage.source(`${path}:${line}`, lines.join(" "));
        }
      }
      const result = await scene.play({
        options: settings,
        library,
        api,
        stage,
        ada: ADA,
        password: PASSWORD,
      });
      if (scene.isError) stage.error(result);
      else stage.result(result);
      await stage.pause();
    }
    await library.close();
  } finally {
    await api.stop();
  }
  stage.close("--verbose plays all scenes, --slow pauses after each. The API is stopped.");
}

/** Returns a logger that drops the records below a level, which can change between calls. */
function filteredLogger(logger: Logger, lowest: () => "debug" | "warn" | undefined): Logger {
  const pass = (level: LogLevel, isShown: () => boolean) => (message: string) => {
    if (isShown()) logger[level](message);
  };
  const all = () => lowest() === "debug";
  const some = () => lowest() !== undefined;
  return {
    debug: pass("debug", all),
    info: pass("info", all),
    warn: pass("warn", some),
    error: pass("error", some),
  };
}
