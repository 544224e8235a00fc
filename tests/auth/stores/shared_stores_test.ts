import { execFileSync } from "node:child_process";
import files, {
  mkdir,
  mkdtemp,
  readdir,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createClient } from "@redis/client";
import { Redis as IORedis } from "ioredis";
import {
  after,
  assert,
  assertEquals,
  assertRejects,
  assertThrows,
  before,
  describe,
  it,
} from "#test";
import { UnexpectedValueError } from "../../../mod.ts";
import {
  fileStore,
  redisStore,
  type SendRedisCommand,
  type SharedTokenStore,
} from "../../../src/auth/stores/mod.ts";
import { type Redis, redisMissing, startRedis } from "../../support/redis.ts";
import { endsInTime, until } from "../../support/until.ts";

/** A shared store to test: several objects for the same place are several processes. */
interface Place {
  open(): SharedTokenStore;
  close(): Promise<unknown>;
}

const token = (number: number) => ({
  accessToken: `a-${number}`,
  expiresAt: number,
  refreshToken: `r-${number}`,
});

/** Describes the rules that each shared store has to follow. */
function describeStore(name: string, start: () => Promise<Place>, missing?: string): void {
  describe(name, () => {
    let place: Place;
    before(async () => {
      if (missing === undefined) place = await start();
    });
    after(async () => void await place?.close());
    const rule = (text: string, body: (stores: SharedTokenStore[]) => Promise<void>) =>
      it(text, () => body([place.open(), place.open()]), { ignore: missing });

    rule("has no token at first, and keeps the first one only once", async ([one, other]) => {
      assertEquals(await one!.load(), null);
      assertEquals(await one!.replace(token(1), undefined), true);
      assertEquals(await other!.replace(token(2), undefined), false);
      const { version, ...loaded } = (await other!.load())!;
      assertEquals(loaded, token(1));
      assert(version !== undefined);
    });

    rule("replaces a token only if its version is still the same", async ([one, other]) => {
      await one!.save(token(1));
      const { version } = (await other!.load())!;
      assertEquals(await one!.replace(token(2), version), true);
      assertEquals(await other!.replace(token(3), version), false);
      assertEquals((await one!.load())!.accessToken, "a-2");
    });

    rule("never uses a version twice, even for the same token", async ([one]) => {
      const versions = new Set<unknown>();
      for (let number = 1; number <= 20; number++) {
        const { version } = (await one!.load()) ?? {};
        versions.add(version);
        if (number % 2 === 0) await one!.save(token(1));
        else assertEquals(await one!.replace({ ...token(1), version: 7 }, version), true);
      }
      assertEquals(versions.size, 20);
    });

    rule("lets one of many replace a version", async (stores) => {
      await stores[0]!.save(token(0));
      const { version } = (await stores[1]!.load())!;
      const tries = Array.from(
        { length: 20 },
        (_, at) => stores[at % 2]!.replace(token(at), version),
      );
      const won = (await Promise.all(tries)).flatMap((isSaved, at) => isSaved ? [at] : []);
      assertEquals(won.length, 1);
      assertEquals((await stores[0]!.load())!.accessToken, `a-${won[0]}`);
    });

    rule("gives its lock to one of many, and again when it is released", async (stores) => {
      for (let round = 0; round < 5; round++) {
        const tries = Array.from({ length: 20 }, (_, at) => stores[at % 2]!.lock(60));
        const locks = (await Promise.all(tries)).filter((release) => release !== null);
        assertEquals(locks.length, 1);
        assertEquals(await stores[1]!.lock(60), null);
        await locks[0]!();
      }
    });

    rule("frees its lock at the end of the lifetime, for one of many", async (stores) => {
      const late = (await stores[0]!.lock(0.05))!;
      let releases: unknown[] = [];
      await until(async () => {
        const tries = Array.from({ length: 20 }, (_, at) => stores[at % 2]!.lock(60));
        releases = (await Promise.all(tries)).filter((release) => release !== null);
        return releases.length > 0;
      });
      assertEquals(releases.length, 1);
      // The lock belongs to another one, so a holder that comes too late does not release it.
      await late();
      assertEquals(await stores[0]!.lock(60), null);
      await (releases[0] as () => unknown)();
    });
  });
}

/** Starts a server and a client, and returns a place in which each pair of stores has its own key. */
async function redisPlace(
  connect: (redis: Redis) => Promise<{ send: SendRedisCommand; close(): Promise<unknown> }>,
): Promise<Place> {
  const redis = await startRedis();
  const { send, close } = await connect(redis);
  let opened = 0;
  return {
    open: () => redisStore(send, { key: `tokens:${Math.floor(opened++ / 2)}` }),
    close: () => close().then(() => redis.stop()),
  };
}

const withRedis = () =>
  redisPlace(async ({ url }) => {
    const client = createClient({ url });
    await client.connect();
    return {
      send: (...command) => client.sendCommand(command),
      close: () => client.close(),
    };
  });

const withIORedis = () =>
  redisPlace(async ({ url }) => {
    const client = new IORedis(url);
    await client.ping();
    return { send: (name, ...args) => client.call(name, ...args), close: () => client.quit() };
  });

describeStore("a store in Redis, with @redis/client", withRedis, redisMissing());
describeStore("a store in Redis, with ioredis", withIORedis, redisMissing());

describeStore("a store in files", async () => {
  const root = await mkdtemp(join(tmpdir(), "restwright-stores-"));
  let opened = 0;
  return {
    open: () => fileStore(join(root, `${Math.floor(opened++ / 2)}`, "tokens")),
    close: () => rm(root, { recursive: true }),
  };
});

describe("the files of a store", () => {
  const inFolder = async (body: (folder: string) => Promise<void>) => {
    const folder = await mkdtemp(join(tmpdir(), "restwright-stores-"));
    await body(folder).finally(() => rm(folder, { recursive: true }));
  };

  it("stay few, and can be read only by their owner", () =>
    inFolder(async (folder) => {
      const store = fileStore(folder);
      for (let number = 1; number <= 10; number++) {
        const release = await store.lock(60);
        await store.replace(token(number), (await store.load())?.version);
        await release!();
      }
      const names = (await readdir(folder)).sort();
      assertEquals(names, ["lock-19", "lock-20", "token-10", "token-9"]);
      if (process.platform === "win32") return;
      for (const name of names) assertEquals((await stat(join(folder, name))).mode & 0o777, 0o600);
    }));

  it("are not changed by a process that read them before two renewals", () =>
    inFolder(async (folder) => {
      const store = fileStore(folder);
      await store.save(token(1));
      const { version } = (await store.load())!;
      for (const number of [2, 3, 4]) await store.save(token(number));
      // The file of the next version is there no more, so it could be created again.
      assertEquals((await readdir(folder)).sort(), ["token-3", "token-4"]);
      assertEquals(await store.replace(token(5), version), false);
      assertEquals((await readdir(folder)).sort(), ["token-3", "token-4"]);
    }));

  it("are on the disk before the token is used, also their names", () =>
    inFolder(async (folder) => {
      const { writeFile, link, open } = files;
      const steps: string[] = [];
      files.writeFile = ((path: string, text: string, options: { flush?: boolean }) => {
        steps.push(`write, ${options.flush ? "flushed" : "not flushed"}`);
        return writeFile(path, text, options as object);
      }) as typeof writeFile;
      files.link = (...paths) => {
        steps.push("link");
        return link(...paths);
      };
      files.open = (async (path: string) => {
        const handle = await open(path);
        const sync = handle.sync.bind(handle);
        handle.sync = () => {
          steps.push(`flush the folder, ${path === folder}`);
          return sync();
        };
        return handle;
      }) as typeof open;
      try {
        await fileStore(folder).save(token(1));
      } finally {
        Object.assign(files, { writeFile, link, open });
      }
      // Deno's writeFile calls itself.
      const order = ["write, flushed", "link", "flush the folder, true"];
      assertEquals([...new Set(steps)], order);
    }));

  it("are added, too, if the temporary file was removed while the process was paused", () =>
    inFolder(async (folder) => {
      const { link } = files;
      let removed = 0;
      files.link = async (from, to) => {
        if (removed++ === 0) await rm(from);
        return await link(from, to);
      };
      try {
        assertEquals(await fileStore(folder).replace(token(1), undefined), true);
      } finally {
        files.link = link;
      }
      assertEquals([removed, (await readdir(folder)).sort()], [2, ["token-1"]]);
    }));

  it("are saved once, if another process renews the token at the same moment", () =>
    inFolder(async (folder) => {
      const { link } = files;
      const [login, other] = [fileStore(folder), fileStore(folder)];
      files.link = async (from, to) => {
        files.link = link;
        await link(from, to);
        // The process of the login has not seen yet that its file is there.
        assertEquals(await other.replace(token(2), (await other.load())!.version), true);
      };
      try {
        await login.save(token(1));
      } finally {
        files.link = link;
      }
      assertEquals((await login.load())?.accessToken, "a-2");
    }));

  it("are refused if they are damaged, without their secrets in the message", () =>
    inFolder(async (folder) => {
      await writeFile(join(folder, "token-7"), '{"refreshToken":"s3cret"');
      const error = await assertRejects(() => fileStore(folder).load(), UnexpectedValueError);
      assert(error.message.includes("token-7") && !error.message.includes("s3cret"), error.message);
      await writeFile(join(folder, "lock-7"), "");
      assert(await fileStore(folder).lock(1) !== null);
    }));

  /** Reads, renews and saves tokens under the lock, in a folder with entries of another program. */
  const renewsBeside = async (folder: string, entries: readonly string[]) => {
    const store = fileStore(folder);
    const release = await store.lock(60);
    assertEquals(await fileStore(folder).lock(60), null);
    assertEquals(await store.replace(token(8), (await store.load())?.version), true);
    await store.save(token(9));
    const { version, ...loaded } = (await store.load())!;
    assertEquals(loaded, token(9));
    assertEquals(await store.replace(token(10), version), true);
    assertEquals(await store.replace(token(11), version), false);
    assertEquals((await store.load())!.accessToken, "a-10");
    await release!();
    assert(await store.lock(60) !== null);
    const names = await readdir(folder);
    assertEquals(entries.filter((entry) => !names.includes(entry)), []);
  };

  it("are found beside entries with other spellings of their numbers", () =>
    inFolder(async (folder) => {
      const numbers = ["007", "5.0", "0x10", "1e3", "-5", " 6", "+6", "9007199254740993", ""];
      const names = numbers.flatMap((number) => [`token-${number}`, `lock-${number}`]);
      for (const name of names) await writeFile(join(folder, name), "60000000000000 1");
      await endsInTime(renewsBeside(folder, names), "the renewal");
    }));

  const others: [kind: string, add: (path: string) => unknown][] = [
    ["a link without a target", (path) => symlink(`${path}-missing`, path)],
    ["a folder", (path) => mkdir(path)],
    ["a pipe", (path) => execFileSync("mkfifo", [path])],
  ];
  const windows = process.platform === "win32" ? "needs links and pipes" : undefined;
  for (const [kind, add] of others) {
    for (const name of ["token-9", "lock-9", "temporary-9"]) {
      it(`are found beside ${kind} with the name ${name}`, () =>
        inFolder(async (folder) => {
          await add(join(folder, name));
          await endsInTime(renewsBeside(folder, [name]), "the renewal in an empty folder");
          const used = join(folder, "used");
          await fileStore(used).save(token(3));
          await add(join(used, name));
          assertEquals((await fileStore(used).load())?.accessToken, "a-3");
          await endsInTime(renewsBeside(used, [name]), "the renewal in a folder with a token");
        }), { ignore: windows });
    }
  }

  it("end a call with an error if one is listed and cannot be found", () =>
    inFolder(async (folder) => {
      const { readdir } = files;
      let lists = 0;
      files.readdir = (() => {
        lists++;
        return Promise.resolve(["token-3", "lock-3"]);
      }) as unknown as typeof readdir;
      try {
        const store = fileStore(folder);
        for (const act of [() => store.load(), () => store.save(token(1)), () => store.lock(1)]) {
          const error = await assertRejects(() => endsInTime(Promise.resolve(act()), "the call"));
          assert(/ENOENT.*-3'/.test(String(error)), String(error));
        }
        assert(lists < 20, String(lists));
      } finally {
        files.readdir = readdir;
      }
    }));

  it("end a call with an error if the file system takes another name for theirs", () =>
    inFolder(async (folder) => {
      const { link } = files;
      files.link = () => Promise.reject(Object.assign(new Error("there"), { code: "EEXIST" }));
      try {
        const store = fileStore(folder);
        await assertRejects(() => endsInTime(store.save(token(1)), "the call"), Error, "there");
        await assertRejects(async () => await store.lock(1), Error, "there");
      } finally {
        files.link = link;
      }
    }));

  it("are not written with a number that cannot be read again", () =>
    inFolder(async (folder) => {
      await writeFile(join(folder, `token-${Number.MAX_SAFE_INTEGER}`), '{"accessToken":"a-1"}');
      const store = fileStore(folder);
      assertEquals((await store.load())?.accessToken, "a-1");
      await assertRejects(() => store.save(token(2)), UnexpectedValueError, "2 ** 53");
      await assertRejects(
        async () => await store.replace(token(2), "v1"),
        UnexpectedValueError,
        "2 ** 53",
      );
      assertEquals((await readdir(folder)).length, 1);
    }));

  it("of a process that was killed while it wrote are removed later", () =>
    inFolder(async (folder) => {
      const left = join(folder, "temporary-1");
      await writeFile(left, "{");
      await fileStore(folder).save(token(1));
      assertEquals((await readdir(folder)).sort(), ["temporary-1", "token-1"]);
      await utimes(left, 0, 0);
      const other = join(folder, "temporary-2");
      await mkdir(other);
      await utimes(other, 0, 0);
      await fileStore(folder).save(token(2));
      assertEquals((await readdir(folder)).sort(), ["temporary-2", "token-1", "token-2"]);
    }));
});

describe("bad input: a shared store", () => {
  const send = () => Promise.resolve(null);
  for (
    const [problem, open] of [
      ["without a function", () => redisStore(null as never, { key: "a" })],
      ["without a key", () => redisStore(send, {} as never)],
      ["with an empty key", () => redisStore(send, { key: "" })],
      ["with an unknown option", () => redisStore(send, { key: "a", prefix: "b" } as never)],
      ["without a folder", () => fileStore("")],
    ] as const
  ) it(`${problem} is refused`, () => void assertThrows(open, UnexpectedValueError));

  it("reports replies that are not strings", async () => {
    const store = redisStore(() => Promise.resolve([new Uint8Array(1), new Uint8Array(1)]), {
      key: "a",
    });
    const error = await assertRejects(() => store.load(), UnexpectedValueError);
    assertEquals(error.option, "the result of send()");
  });

  it("does not show a token that is not JSON", async () => {
    const store = redisStore(() => Promise.resolve(["s3cret", "1"]), { key: "tokens:ada" });
    const error = await assertRejects(() => store.load(), UnexpectedValueError);
    assert(error.message.includes("tokens:ada") && !error.message.includes("s3cret"));
  });
});
