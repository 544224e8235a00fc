// A test file without a fault: see tests/scripts/test/run_runtime_test.ts.
import { it } from "#test";

it("passes", () => {});
