import { describeFaults } from "../support/faults/describe_faults.ts";

// contract: limit-5, decision-17, decision-18
describeFaults("slow responses", "floods");
