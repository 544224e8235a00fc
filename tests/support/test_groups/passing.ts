// A test file without a fault: see tests/scripts/run_runtime_test.ts.
import { it } from "#test";

it("passes", () => {});
