/**
 * Opens pages in a headless Chromium, one after another, and prints their results as JSON.
 *
 * Run it with Node, which Playwright is made for: `node drive.ts <JSON of a DriverJob>`.
 */
import process from "node:process";
import { pathToFileURL } from "node:url";

/** The browser to use, and the pages to open. */
export interface DriverJob {
  /** The path of playwright-core's module. */
  readonly playwright: string;
  /** The path of the browser's executable. */
  readonly chromium: string;
  /** The URLs of the pages. Each page has a global `played`, a promise of its results. */
  readonly pages: readonly string[];
}

/** The result of a page. */
export interface OpenedPage {
  /** The value that `played` resolved to; undefined if it did not resolve. */
  readonly played: unknown;
  /** The messages on the console, each with its type: `warning: …`. */
  readonly console: readonly string[];
  /** The uncaught errors of the page, and the reason why there is no value of `played`. */
  readonly errors: readonly string[];
}

/** The maximum number of seconds that a page may take. */
const LIMIT = 60;

/** The part of Playwright's API that is used here. */
interface Playwright {
  readonly chromium: {
    launch(options: { executablePath: string }): Promise<Browser>;
  };
}

interface Browser {
  newPage(options: { ignoreHTTPSErrors: boolean }): Promise<Page>;
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

/** Opens a page, which may call servers whose certificates are of an unknown authority. */
async function open(browser: Browser, url: string): Promise<OpenedPage> {
  const page = await browser.newPage({ ignoreHTTPSErrors: true });
  const messages: string[] = [];
  const errors: string[] = [];
  page.on("console", (message) => messages.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => errors.push(String(error)));
  let played: unknown;
  try {
    await page.goto(url);
    const late = `new Promise((_, fail) => setTimeout(() => fail("the page did not finish"), ${
      LIMIT * 1000
    }))`;
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
