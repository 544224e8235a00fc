/** The script of a repository that compares the SDK with that of the last release. */

/** The path of the script in the repository. */
export const SINCE_RELEASE = "scripts/since_release.sh";

/**
 * The script. It needs git with the tags, and the generator in `node_modules`. The version of
 * `package.json` is that of the next release, or still that of the last one.
 */
export const SINCE_RELEASE_TEXT = `#!/bin/sh
# Compares the document with that of the last release, which is a tag such as v1.2.0.
#
#   sh scripts/since_release.sh              fails if the new version must not break callers, but does
#   sh scripts/since_release.sh --changelog  prints an entry for CHANGELOG.md
set -eu
cd "$(dirname "$0")/.."
PATH="$PWD/node_modules/.bin:$PATH"

version=$(sed -n 's/^ *"version": *"\\([^"]*\\)".*/\\1/p' package.json | head -n 1)
last_before() { git describe --tags --abbrev=0 --match 'v[0-9]*' --exclude "$1" 2>/dev/null || true; }
tagged=$(git rev-parse --quiet --verify "v$version^{commit}" || true)
if [ -n "$tagged" ] && [ "$tagged" != "$(git rev-parse HEAD)" ]; then
  last="v$version"
else
  # The tag of this commit is the release itself.
  last=$(last_before "v$version")
fi
if [ -z "$last" ]; then
  echo "there is no release to compare with" >&2
  exit 0
fi

old=$(mktemp -d)
trap 'rm -rf "$old"' EXIT
git archive "$last" | tar -x -C "$old"
code=0
restwright-generate diff --old-config "$old/restwright.json" --config restwright.json "$@" || code=$?
# 1 says that callers break, 2 that nothing could be compared.
if [ "$code" -ne 1 ]; then exit "$code"; fi
if [ "$#" -gt 0 ]; then exit 0; fi

# Versions that have this part in common must not break callers. Before 1.0.0, it is the minor version.
common() {
  case "$1" in
    0.*) echo "$1" | cut -d . -f 1,2 ;;
    *) echo "$1" | cut -d . -f 1 ;;
  esac
}
was=\${last#v}
if [ "$version" = "$was" ]; then
  echo "callers of $last break: the next version must not begin with $(common "$was")." >&2
elif [ "$(common "$version")" = "$(common "$was")" ]; then
  echo "version $version must not break callers of $last" >&2
  exit 1
fi
`;
