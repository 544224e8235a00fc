// A test file without tests: see tests/scripts/test/run_runtime_test.ts.
export {};
