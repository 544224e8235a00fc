import { describeFaults } from "../support/faults/describe_faults.ts";

// contract: attempts-5, limit-1, limit-2, limit-4, fault-10
describeFaults("connections");
