import { assert, assertEquals, assertRejects, describe, it } from "#test";
import { BookOnLoan, FaultError, LibraryService, UnknownBook } from "../../examples/soap_client.ts";
import { APIError } from "../../mod.ts";
import { mockTransport, silentLogger } from "../../src/testing/mod.ts";

const until = new Date("2026-12-01T00:00:00Z");

function reply(body: string, status = 200): Response {
  const xml = `<?xml version="1.0" encoding="utf-8"?>
    <S:Envelope xmlns:S="http://schemas.xmlsoap.org/soap/envelope/">
      <S:Header><t:trace xmlns:t="urn:trace">7f</t:trace></S:Header>
      <S:Body xmlns="https://library.example.com/soap">${body}</S:Body>
    </S:Envelope>`;
  return new Response(xml, { status, headers: { "content-type": "text/xml; charset=utf-8" } });
}

const fault = (detail: string) =>
  reply(
    `<S:Fault><faultcode xmlns="">S:Client</faultcode><faultstring xmlns="">not here</faultstring>
    <detail xmlns="">${detail}</detail></S:Fault>`,
    500,
  );

describe("the SOAP client of the examples", () => {
  function start(answer: Response) {
    const fetch = mockTransport({ "POST /soap": answer });
    return { service: new LibraryService({ fetch, logger: silentLogger }), fetch };
  }

  it("sends an envelope with a header, and reads the typed result", async () => {
    const { service, fetch } = start(
      reply(
        "<ReserveResponse><BookId>7</BookId><Shelf>B2</Shelf><Until>2026-12-01</Until></ReserveResponse>",
      ),
    );
    const reservation = await service.reserve("4711", 7, until);
    assertEquals([reservation.bookId, reservation.shelf, reservation.until], [7, "B2", until]);
    fetch.assertCalled("POST /soap", {
      headers: { soapaction: '"Reserve"', "content-type": "text/xml; charset=utf-8" },
      text: '<?xml version="1.0" encoding="UTF-8"?>' +
        '<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/" ' +
        'xmlns:lib="https://library.example.com/soap"><soap:Header>' +
        '<lib:LibraryCard soap:mustUnderstand="1">4711</lib:LibraryCard></soap:Header><soap:Body>' +
        "<lib:Reserve><lib:BookId>7</lib:BookId><lib:Until>2026-12-01</lib:Until>" +
        "</lib:Reserve></soap:Body></soap:Envelope>",
    });
  });

  for (
    const [detail, type] of [
      [
        '<l:BookOnLoan xmlns:l="https://library.example.com/soap"><l:BookId>8</l:BookId>' +
        "<l:BackOn>2026-12-05</l:BackOn></l:BookOnLoan>",
        BookOnLoan,
      ],
      [
        '<UnknownBook xmlns="https://library.example.com/soap"><BookId>8</BookId></UnknownBook>',
        UnknownBook,
      ],
    ] as const
  ) {
    it(`rejects with the fault and its detail ${type.tag}`, async () => {
      const { service, fetch } = start(fault(detail));
      const error = await assertRejects(() => service.reserve("4711", 8, until), FaultError);
      assertEquals(fetch.calls.length, 1);
      assertEquals([error.status, error.message], [500, "not here"]);
      assertEquals([error.fault?.code, error.fault?.reason], ["Client", "not here"]);
      assert(error.fault?.detail instanceof type);
      assertEquals(error.fault.detail.bookId, 8);
    });
  }

  it("rejects with a fault that has another detail", async () => {
    const { service } = start(fault("<stack>at line 7</stack>"));
    const error = await assertRejects(() => service.reserve("4711", 8, until), FaultError);
    assertEquals([error.fault?.reason, error.fault?.detail], ["not here", undefined]);
  });

  it("rejects with the status if the body is not an envelope", async () => {
    const html = "<!DOCTYPE html><title>Oops</title>";
    const { service } = start(
      new Response(html, { status: 500, headers: { "content-type": "text/html" } }),
    );
    const error = await assertRejects(() => service.reserve("4711", 8, until), FaultError);
    assertEquals(error.fault, undefined);
    assert(error instanceof APIError && error.body === html);
  });
});
