import { describeFaults } from "../support/faults/describe_faults.ts";

// contract: attempts-5
describeFaults("lengths", "chunks");
