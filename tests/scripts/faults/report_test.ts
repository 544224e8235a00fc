import { assertEquals, describe, it } from "#test";
import { faultReport, faultsLine } from "../../../scripts/faults/report.ts";

const report = {
  faults: 2,
  counts: { direct: 96, nginx: 48, squid: 0 },
  failed: ["a server that is busy: GET"],
  seconds: 1.4,
  cpu: 0.9,
};

describe("the report of the fault matrix", () => {
  it("is found among other lines of the output", () => {
    assertEquals(faultReport(`starting\n${JSON.stringify(report)}\nend`), report);
    assertEquals(faultReport("starting\n{}"), undefined);
  });

  it("becomes one line, with the routes that have cases", () => {
    const line =
      "bun 1.4.5      2 faults, 96 direct + 48 nginx = 144 cases, 143 passed, 1 FAILED, " +
      "1 s (1 s of processor time)";
    assertEquals(faultsLine("bun 1.4.5", report), line);
  });
});
