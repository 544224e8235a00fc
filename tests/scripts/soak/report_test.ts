import { assertEquals, assertStringIncludes, describe, it } from "#test";
import { allCalls, readSoak, soakLine, soakProblems } from "../../../scripts/soak/report.ts";

const residue = { heap: 100, listeners: 0, timers: 0, connections: 64 };
const about = { runtime: "node 24", minutes: 3, date: "2026-11-22", machine: "2 cores" };
const printed = {
  counts: { calls: { JSON: 5000, PUT: 7 }, requests: 5300, faults: 250, failed: 3 },
  wrong: [],
  residues: [{ ...residue, heap: 50 }, residue, { ...residue, heap: 104 }],
};

describe("the report of the soak", () => {
  it("has the counts and the growth of the heap in one line", () => {
    const report = readSoak(`a warning\n${JSON.stringify(printed)}\n`, about);
    assertEquals(allCalls(report), 5007);
    assertEquals(soakProblems(report), []);
    const line = soakLine(report);
    for (const part of ["node 24: 3 minutes", "5,007 calls", "250 faults", "heap 1.040"]) {
      assertStringIncludes(line, part);
    }
  });

  const rows = [
    ["a call with a wrong end", { wrong: ["call 7 (PUT) was done 2 times"] }, "call 7"],
    ["a heap that grows", { residues: [residue, residue, { ...residue, heap: 106 }] }, "1.060"],
    ["a listener", { residues: [{ ...residue, listeners: 1 }] }, "1 listeners are left"],
    ["a timer", { residues: [residue, { ...residue, timers: 2 }] }, "2 timers are left after"],
    ["connections", { residues: [{ ...residue, connections: 500 }] }, "500 connections are open"],
  ] as const;
  for (const [name, changed, expected] of rows) {
    it(`finds ${name}`, () => {
      const report = readSoak(JSON.stringify({ ...printed, ...changed }), about);
      const [problem, ...more] = soakProblems(report);
      assertStringIncludes(problem!, expected);
      assertEquals(more, []);
    });
  }
});
