// A test file without tests: see tests/scripts/run_runtime_test.ts.
export {};
