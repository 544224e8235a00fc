// A test file that cannot be loaded completely: see tests/scripts/test/run_runtime_test.ts.
import { it } from "#test";

it("is registered", () => {});

throw new Error("thrown while loading");
