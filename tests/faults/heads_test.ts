import { describeFaults } from "../support/faults/describe_faults.ts";

// contract: attempts-5, decision-26
describeFaults("status lines", "headers", "interim responses");
