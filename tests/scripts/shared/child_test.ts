/** Tests of child processes. They run Node, which every machine that runs the tests has. */
import process from "node:process";
import { assert, assertEquals, assertStringIncludes, describe, it } from "#test";
import { runChild, succeeded } from "../../../scripts/shared/child.ts";
import { endGroup, groupLives } from "../../../scripts/shared/process_group.ts";

const STAYS = "setInterval(() => {}, 1000);";

describe("runChild", () => {
  it("returns the exit code and both streams", async () => {
    const script = "console.log('to stdout'); console.error('to stderr'); process.exitCode = 3;";
    const result = await runChild("node", ["-e", script]);
    assertEquals([result.code, result.trouble], [3, undefined]);
    assertEquals(result.stdout, "to stdout\n");
    assertStringIncludes(result.output, "to stderr");
    assert(!succeeded(result));
  });

  it("adds and removes environment variables, and disables colours", async () => {
    const script = "[process.env.A, process.env.HOME, process.env.NO_COLOR]";
    const env = { A: "1", HOME: undefined };
    const result = await runChild("node", ["-p", script], { env });
    assertEquals(result.stdout, "[ '1', undefined, '1' ]\n");
  });

  it("reports that a command could not be started", async () => {
    const result = await runChild("no-such-command-anywhere", []);
    assertEquals(result.code, undefined);
    assertStringIncludes(result.trouble ?? "", "could not be started");
  });

  it("passes arguments with spaces, quotes and signs of shells as they are", async () => {
    const args = ["a b", 'c"d', "%PATH%", "$HOME & e", "", "\\"];
    const result = await runChild("node", ["-p", "JSON.stringify(process.argv.slice(1))", ...args]);
    assertEquals(JSON.parse(result.stdout), args);
  });

  it("ends a child at its time limit", async () => {
    const result = await runChild("node", ["-e", STAYS], { limit: 0.5 });
    assertEquals(result.trouble, "took more than 0.5 seconds and was stopped");
    assert(!succeeded(result));
  });

  const ignore = process.platform === "win32" ? "Windows has no process groups" : undefined;
  it("finds and stops a process that a child leaves running", async () => {
    const child = JSON.stringify(["-e", STAYS]);
    const script = `console.log(process.pid);
      require("node:child_process").spawn(process.execPath, ${child}, { stdio: "inherit" })
        .on("spawn", () => process.exit(0));`;
    const result = await runChild("node", ["-e", script], { grace: 0.1 });
    assertEquals([result.code, result.trouble], [0, "left a child process running"]);
    const leader = Number(result.stdout);
    assert(leader > 0);
    assert(!groupLives(leader));
  }, { ignore });
});

describe("the end of a process and of those that it started", () => {
  /** Returns the calls that end the process 42 on a system. */
  function callsOn(platform: string): unknown[][] {
    const calls: unknown[][] = [];
    endGroup(42, {
      platform,
      kill: (...args) => void calls.push(["kill", ...args]),
      run: (command, args) => void calls.push([command, ...args]),
    });
    return calls;
  }

  it("is a signal to the group, and taskkill with the tree on Windows", () => {
    assertEquals(callsOn("linux"), [["kill", -42, "SIGKILL"]]);
    assertEquals(callsOn("win32"), [["taskkill", "/PID", "42", "/T", "/F"]]);
  });
});
