// Writes the time and the memory of a Node process to the file that RESTWRIGHT_USAGE names, when it
// exits. Node loads it before the program (`--require`), so that all generators are measured alike.
const { appendFileSync } = require("node:fs");
const { isMainThread } = require("node:worker_threads");

if (isMainThread) {
  process.on("exit", () => {
    const { maxRSS, systemCPUTime, userCPUTime } = process.resourceUsage();
    const usage = {
      seconds: performance.now() / 1000,
      cpu: (systemCPUTime + userCPUTime) / 1e6,
      megabytes: maxRSS / 1024,
    };
    appendFileSync(process.env.RESTWRIGHT_USAGE, `${JSON.stringify(usage)}\n`);
  });
}
