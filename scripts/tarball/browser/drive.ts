/**
 * Opens pages in a headless Chromium, one after another, and prints what became of them as JSON.
 *
 * It is run by Node, which is what Playwright is made for: `node drive.ts <JSON of a DriverJob>`.
 */
import process from "node:process";
import { pathToFileURL } from "node:url";

/** What to open, and with what. */
export interface DriverJob {
  /** The module of playwright-core. */
  readonly playwright: string;
  /** The browser's executable. */
  readonly chromium: string;
  /** The pages, each with a promise `played` among its globals. */
  readonly pages: readonly string[];
}

/** What became of a page. */
export interface OpenedPage {
  /** What `played` became; undefined where it did not. */
  readonly played: unknown;
  /** What the console shows, each with its kind: `warning: …`. */
  readonly console: readonly string[];
  /** What went wrong in the page: why there is no `played`, and what nobody caught. */
  readonly errors: readonly string[];
}

/** Seconds that a page may take. */
const LIMIT = 60;

/** The part of Playwright that is used. */
interface Playwright {
  readonly chromium: {
    launch(options: { executablePath: string }): Promise<Browser>;
  };
}

interface Browser {
  newPage(): Promise<Page>;
  version(): string;
  close(): Promise<void>;
}

interface Page {
  on(event: "console", listen: (message: { type(): string; text(): string }) => void): void;
  on(event: "pageerror", listen: (error: Error) => void): void;
  goto(url: string): Promise<unknown>;
  evaluate(code: string): Promise<unknown>;
  close(): Promise<void>;
}

async function open(browser: Browser, url: string): Promise<OpenedPage> {
  const page = await browser.newPage();
  const messages: string[] = [];
  const errors: string[] = [];
  page.on("console", (message) => messages.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => errors.push(String(error)));
  let played: unknown;
  try {
    await page.goto(url);
    const late = `new Promise((_, fail) => setTimeout(() => fail("no end"), ${LIMIT * 1000}))`;
    played = await page.evaluate(`Promise.race([played, ${late}])`);
  } catch (error) {
    errors.push(String(error));
  }
  await page.close();
  return { played, console: messages, errors };
}

async function main({ playwright, chromium, pages }: DriverJob): Promise<void> {
  const { chromium: launcher }: Playwright = await import(pathToFileURL(playwright).href);
  const browser = await launcher.launch({ executablePath: chromium });
  try {
    const opened: OpenedPage[] = [];
    for (const url of pages) opened.push(await open(browser, url));
    console.log(JSON.stringify(opened));
  } finally {
    await browser.close();
  }
}

if (process.argv[2] !== undefined) await main(JSON.parse(process.argv[2]));
