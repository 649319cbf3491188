import { describe, expect, test } from "vitest";
import { examples, words } from "@/server/testing/guard/examples";
import { readShell } from "@/server/testing/guard/read-shell";
import { checkHardFloor } from "./check-hard-floor";

/** Returns the folder that the floor reports as deleted; null without a finding. */
function deleted(target: string, before = ""): string | null {
  const [finding] = checkHardFloor(readShell(`${before}rm -rf ${target}`));
  return /deletes (.*) and everything in it/.exec(finding?.message ?? "")?.[1] ?? null;
}

test.each(words`
  bin boot dev etc home lib lib32 lib64 libx32 media mnt opt proc root run sbin srv sys usr var Applications Library System Users Volumes
  private usr/bin usr/include usr/lib usr/lib32 usr/lib64 usr/libexec usr/local usr/sbin usr/share usr/src var/lib var/log var/mail
  var/spool private/etc private/var
`)("/%s is a system folder, and so is everything in it", (folder) => {
  const named = `the system folder /${folder}`;
  expect(deleted(`/${folder}`)).toBe(named);
  expect(deleted(`/${folder}/*`)).toBe(named);
  expect(deleted(`/${folder}/.*`)).toBe(named);
  expect(deleted(`/${folder}/`)).toBe(named);
  expect(deleted(`/tmp/../${folder}`)).toBe(named);
  expect(deleted(`../../../../${folder}`)).toBe(named);
  expect(deleted(folder, "cd / && ")).toBe(named);
  expect(deleted(`/${folder}x`)).toBeNull();
  expect(deleted(`/${folder}/app/x`)).toBeNull();
  expect(deleted(folder)).toBeNull();
});

test.each(["~", "~/*", "$HOME", "/home/ada", "/home/ada/*", "/Users/ada/.*"])("%s is a home folder", (target) => {
  expect(deleted(target)).toBe("a home folder");
});
describe("on a machine whose home is /data/people/ann", () => {
  const machine = { home: "/data/people/ann", folder: "/data/people/ann/shop" };
  const isDeleted = (command: string, at = machine) => checkHardFloor(readShell(command, at), at.home).length > 0;

  test.each([
    ...["rm -rf ~/", "rm -rf ~/*", "rm -rf $HOME", "rm -rf /data/people/ann", "rm -rf /data/people/ann/", "rm -rf /data/people/ann/.*"],
    ...[
      "rm -rf /data/people",
      "rm -rf /data/people/*",
      "rm -rf /data/people/a*",
      "rm -rf /data",
      "cd && rm -rf *",
      "cd /data && rm -rf people",
    ],
    ...["find ~ -delete", "find /data/people/ann -type f | xargs rm -rf", "rm -rf /home/ben", "rm -rf '/data/people/ann\u200b'"],
  ])("%s deletes it", (command) => expect(isDeleted(command)).toBe(true));
  test.each([
    ...["rm -rf ~/shop", "rm -rf /data/people/ann/shop/*", "rm -rf /data/people/ben", "rm -rf /data/people/ann2", "rm -rf /database"],
    ...["rm -rf .", "rm -rf *", "rm -rf build", "rm ~", "mv ~ /data/old", "chmod -R go-w ~", "ssh host rm -rf /data/people/ann"],
  ])("%s does not", (command) => expect(isDeleted(command)).toBe(false));
  test("without a known home only the usual places are homes", () => {
    expect(deleted("/data/people/ann")).toBeNull();
    expect(deleted("/data/people/*")).toBeNull();
  });
  test("a home that is the client's own folder may lose what is in it, one by one", () => {
    const own = { home: "/data/ann", folder: "/data/ann" };
    expect(["rm -rf .", "rm -rf *", "rm -rf ~/build", "rm -rf /data/ann/build"].filter((command) => isDeleted(command, own))).toEqual([]);
    expect(isDeleted("rm -rf ~", own)).toBe(true);
  });
  test("the root as a home makes no other folder a home", () => {
    expect(isDeleted("rm -rf /data", { ...machine, home: "/" })).toBe(false);
  });
});

test.each([
  ["/home/*", "home"],
  ["/Users/*/", "Users"],
])("%s is where they all are", (target, folder) => expect(deleted(target)).toBe(`the system folder /${folder}`));
test.each(["~/project", "/home/ada/project", "~x/project", "/Users/ada/Library/Caches/x"])("%s is none", (target) => {
  expect(deleted(target)).toBeNull();
});

test.each(examples`
  / ¦ // ¦ /* ¦ /.* ¦ /.[!.]* ¦ /.[^.]* ¦ /*.* ¦ /*/* ¦ /.. ¦ ../../../.. ¦ ../../../../.. ¦ ../../../../* ¦ /$UNSET ¦ /{a..z}*
  /{10..99}* ¦ /{a..z..2}* ¦ /{1..99..10}*
`)("%s is the root folder", (target) => expect(deleted(target)).toBe("the root folder"));
test.each(examples`
  . ¦ .. ¦ ../.. ¦ ../../.. ¦ ../../../* ¦ * ¦ ./* ¦ a/b/c/d ¦ /? ¦ /.? ¦ '' ¦ /?x ¦ /tmp/* ¦ /x*y/* ¦ /[!.]tmp
`)("%s is not, as far as anybody can tell", (target) => expect(deleted(target)).toBeNull());

describe("a pattern", () => {
  test.each(["/et*", "/e?c", "/[e]tc", "/[a-f]tc", "/e[[:alpha:]]c", "/*tc", "/{a..f}tc"])("%s means /etc", (target) => {
    expect(deleted(target)).toBe("the system folder /etc");
  });
  test.each(["/xet*", "/etc?", "/[e]tcx"])("%s does not", (target) => expect(deleted(target)).toBeNull());
});

test("a path that is too long for any system is none", () => {
  const long = (chars: number) => `/etc${"/.".repeat((chars - 4) / 2)}`;
  expect(deleted(long(4_096))).toBe("the system folder /etc");
  expect(deleted(long(4_098))).toBeNull();
});
