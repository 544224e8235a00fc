import { readFileSync } from "node:fs";
import { assertEquals, describe, it } from "#test";
import { sourceRoot } from "../../../support/contract_page.ts";

const script = readFileSync(
  new URL("scripts/shared/pages/reference_theme.js", sourceRoot()),
  "utf8",
);

/** VitePress's key, as in the source of its client. */
const KEY = "vitepress-theme-appearance";

/** The classes of an element. */
function element() {
  const classes = new Set<string>();
  const toggle = (name: string, on: boolean) =>
    void (on ? classes.add(name) : classes.delete(name));
  return { classes, classList: { toggle } };
}

/** Runs the script in a page, with the theme of the site and of the system. */
function openPage(stored: string | undefined, isSystemDark: boolean) {
  const storage = new Map(stored === undefined ? [] : [[KEY, stored]]);
  const html = element();
  const icons = [element(), element()];
  const page = new EventTarget();
  const button = Object.assign(new EventTarget(), { children: icons, removeAttribute: () => {} });
  const system = Object.assign(new EventTarget(), { matches: isSystemDark });
  const globals = {
    localStorage: {
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, value: string) => void storage.set(key, value),
    },
    matchMedia: () => system,
    document: { documentElement: html, getElementById: () => button },
    addEventListener: page.addEventListener.bind(page),
  };
  new Function(...Object.keys(globals), script)(...Object.values(globals));
  const isDarkBeforePaint = html.classes.has("dark");
  page.dispatchEvent(new Event("DOMContentLoaded"));
  return {
    isDarkBeforePaint,
    isDark: () => html.classes.has("dark"),
    /** The icon that is shown. */
    icon: () => icons.map(({ classes }) => !classes.has("hidden")),
    click: () => void button.dispatchEvent(new Event("click")),
    stored: () => storage.get(KEY),
    setSystem(isDark: boolean) {
      system.matches = isDark;
      system.dispatchEvent(new Event("change"));
    },
    setStored(theme: string) {
      storage.set(KEY, theme);
      page.dispatchEvent(new Event("storage"));
    },
  };
}

describe("the theme of the reference", () => {
  const rows: [stored: string | undefined, isSystemDark: boolean, isDark: boolean][] = [
    [undefined, false, false],
    [undefined, true, true],
    ["auto", false, false],
    ["auto", true, true],
    ["dark", false, true],
    ["light", true, false],
  ];
  for (const [stored, isSystemDark, isDark] of rows) {
    const system = isSystemDark ? "dark" : "light";
    it(`is ${isDark ? "dark" : "light"} if the site has ${stored}, and the system ${system}`, () => {
      const page = openPage(stored, isSystemDark);
      assertEquals([page.isDarkBeforePaint, page.isDark()], [isDark, isDark]);
      assertEquals(page.icon(), [!isDark, isDark]);
    });
  }

  it("changes with the button, which also sets that of the site", () => {
    const page = openPage("auto", false);
    page.click();
    assertEquals([page.isDark(), page.stored(), page.icon()], [true, "dark", [false, true]]);
    page.click();
    assertEquals([page.isDark(), page.stored()], [false, "auto"]);
    page.setSystem(true);
    page.click();
    assertEquals([page.isDark(), page.stored()], [false, "light"]);
  });

  it("follows the system, and the site in another tab", () => {
    const page = openPage(undefined, false);
    page.setSystem(true);
    assertEquals(page.isDark(), true);
    page.setStored("light");
    assertEquals(page.isDark(), false);
  });
});
