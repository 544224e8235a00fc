import { after, assertEquals, before, describe, it } from "#test";
import { casesOf, differencesOf } from "../support/faults/describe_faults.ts";
import { allFaults, pairwiseCases, startIntermediaries } from "../support/faults/matrix.ts";
import { nginxMissing } from "../support/nginx.ts";
import { squidMissing } from "../support/squid.ts";
import { withoutProxyVariables } from "../support/tls_peers.ts";

describe("a faulty server behind nginx and squid", () => {
  const ignore = nginxMissing() ?? squidMissing();
  const cases = pairwiseCases(allFaults, ["nginx", "squid"]);
  let started: Awaited<ReturnType<typeof startIntermediaries>>;
  let undo: () => void;

  before(async () => {
    undo = withoutProxyVariables();
    if (ignore === undefined) started = await startIntermediaries();
  });
  after(async () => {
    undo();
    await started?.stop();
  });

  for (const fault of allFaults.filter(({ nginx, squid }) => nginx !== null || squid !== null)) {
    it(`that ${fault.name}: each call ends by the contract`, async () => {
      const intermediaries = started.addresses;
      assertEquals(await differencesOf(casesOf(fault, cases), { intermediaries }), {});
    }, { ignore });
  }
});
