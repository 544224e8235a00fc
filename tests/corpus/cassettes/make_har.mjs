// Makes the file browser.har beside this one. It was recorded by Chromium through playwright-core
// 1.65, which writes HAR 1.2 from the events of the network panel:
//
//     PLAYWRIGHT=<folder with node_modules/playwright-core> CHROMIUM=$(command -v chromium) \
//       node tests/corpus/cassettes/make_har.mjs
//
// The only change that this file makes to a recording is the host, because the port differs.
import { Buffer } from "node:buffer";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import process from "node:process";
import { gzipSync } from "node:zlib";

const require = createRequire(`${process.env.PLAYWRIGHT}/`);
const { chromium } = require("playwright-core");

const file = new URL("browser.har", import.meta.url).pathname;
const server = createServer((request, response) => {
  const json = { "Content-Type": "application/json" };
  switch (request.url.split("?")[0]) {
    case "/page":
      response.writeHead(200, { "Content-Type": "text/html" });
      return response.end("<!doctype html><title>Library</title>");
    case "/books": {
      const cookies = ["sid=s-4711-8c4d; Path=/", "theme=dark; Path=/"];
      response.writeHead(200, { ...json, "Content-Encoding": "gzip", "Set-Cookie": cookies });
      return response.end(gzipSync('[{"id": 7, "title": "Größe"}]'));
    }
    case "/cover.png":
      response.writeHead(200, { "Content-Type": "image/png" });
      return response.end(Buffer.from(Array.from({ length: 256 }, (_, index) => index)));
    case "/old":
      return response.writeHead(302, { Location: "/books?page=2" }).end();
    case "/empty":
      return response.writeHead(204).end();
    default:
      response.writeHead(201, json);
      return request.resume().on("end", () => response.end('{"access_token": "token-8c4d-5e0a"}'));
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address();
const url = `http://127.0.0.1:${port}`;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ["--no-sandbox"],
});
const context = await browser.newContext({ recordHar: { path: file, content: "embed" } });
const page = await context.newPage();
await page.goto(`${url}/page`);
await page.evaluate(async () => {
  const send = async (path, init) => {
    const response = await fetch(path, init);
    await response.arrayBuffer();
  };
  await send("/books?page=1", { headers: { authorization: "Bearer token-1a2b-3c4d" } });
  const type = { "content-type": "application/json" };
  await send("/books", { method: "POST", headers: type, body: '{"title":"Grün"}' }).catch(() => {});
  await send("/login", {
    method: "POST",
    body: new URLSearchParams({ user: "ada", password: "hopper 1906" }),
  });
  const form = new FormData();
  form.append("note", "n");
  form.append("file", new File(["a\nb"], "a.txt", { type: "text/plain" }));
  await send("/files", { method: "POST", body: form });
  await send("/cover.png");
  await send("/old");
  await send("/empty", { method: "DELETE" });
  await send("http://127.0.0.1:1/closed").catch(() => {});
});
await context.close();
await browser.close();
server.close();
const text = await readFile(file, "utf8");
await writeFile(file, text.replaceAll(`127.0.0.1:${port}`, "library.example.com"));
