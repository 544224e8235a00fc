/**
 * The `#xml` import of the npm edition: saxes in its plain mode. The namespace mode of saxes takes
 * quadratic time in the depth: 100,000 levels took 174 s.
 */
import { SaxesParser } from "saxes";
import { nameText } from "../errors/format_issue.ts";
import { XmlFault, type XmlHandler } from "./port.ts";

/** Parses chunks of XML, and yields the records of each chunk after it has been parsed. */
export async function* xmlRecords<T>(
  chunks: AsyncIterable<string>,
  handlerOf: (emit: (record: T) => void) => XmlHandler,
): AsyncGenerator<T, void, undefined> {
  let records: T[] = [];
  const parser = parserFor(handlerOf((record) => void records.push(record)));
  for await (const chunk of chunks) {
    parser.write(chunk);
    if (records.length === 0) continue;
    const ready = records;
    records = [];
    yield* ready;
  }
  parser.close();
  yield* records;
}

function parserFor(handler: XmlHandler): SaxesParser {
  const parser = new SaxesParser({
    position: false,
    defaultXMLVersion: "1.0",
    forceXMLVersion: true,
  });
  const attributes: string[] = [];
  let offset = 0;
  parser.on("opentagstart", ({ name }) => {
    // The parser is past the "<", the name, and the one character that ended the name.
    offset = parser.position - name.length - 2;
    attributes.length = 0;
  });
  parser.on("attribute", ({ name, value }) => void attributes.push(name, value));
  parser.on("opentag", ({ name }) => handler.open(name, attributes, offset));
  parser.on("closetag", () => handler.close());
  parser.on("text", (text) => handler.text(text));
  parser.on("cdata", (text) => handler.text(text));
  parser.on("processinginstruction", ({ target }) => {
    if (!target.includes(":")) return;
    const name = nameText(target);
    throw new XmlFault(
      `"${name}" is not a valid name of a processing instruction: it contains a colon`,
      parser.position,
    );
  });
  parser.on("error", ({ message }) => {
    throw new XmlFault(message.replace(/\.$/, ""), Math.max(0, parser.position - 1));
  });
  return parser;
}
