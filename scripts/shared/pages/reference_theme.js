// The theme of the reference, in place of the script of `deno doc`. It is that of the site: both
// use VitePress's key in the storage, whose values are "dark", "light" and "auto".

const KEY = "vitepress-theme-appearance";
const system = matchMedia("(prefers-color-scheme: dark)");

function isDark() {
  const chosen = localStorage.getItem(KEY) ?? "auto";
  return chosen === "auto" ? system.matches : chosen === "dark";
}

function show() {
  const dark = isDark();
  document.documentElement.classList.toggle("dark", dark);
  const [moon, sun] = document.getElementById("theme-toggle")?.children ?? [];
  moon?.classList.toggle("hidden", dark);
  sun?.classList.toggle("hidden", !dark);
}

// Before the page is painted, and when the system or another tab changes the theme.
show();
system.addEventListener("change", show);
addEventListener("storage", show);
addEventListener("DOMContentLoaded", () => {
  const button = document.getElementById("theme-toggle");
  if (button === null) return;
  button.removeAttribute("style");
  button.addEventListener("click", () => {
    const dark = !isDark();
    localStorage.setItem(KEY, dark === system.matches ? "auto" : dark ? "dark" : "light");
    show();
  });
  show();
});
