// A test file with a test that never ends: see tests/scripts/test/run_runtime_test.ts.
import { it } from "#test";

it("waits forever", () => new Promise(() => {}));
