/** A user's program with `await using`, in a separate file because not all users can compile it. */
import { APISession } from "@restwright/restwright";

const steps: string[] = [];

class Library extends APISession {
  protected override _authenticate(): void {
    steps.push("in");
  }
  protected override _deauthenticate(): void {
    steps.push("out");
  }
}

{
  await using library = await Library.open({ url: "https://library.example.com" });
  steps.push(library instanceof Library ? "opened" : "another class");
}
console.log(steps.join() === "in,opened,out" ? "disposed" : steps.join());
