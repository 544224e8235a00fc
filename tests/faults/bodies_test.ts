import { describeFaults } from "../support/faults/describe_faults.ts";

// contract: attempts-1, attempts-2, limit-3, decision-21, decision-22
describeFaults("encodings", "statuses");
