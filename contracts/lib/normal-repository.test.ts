import { describe, expect, test } from "vitest";
import { isRepository, normalRepository } from "./normal-repository";

describe("the address of a repository", () => {
  test.each([
    ["git@GitHub.com:Acme/Shop.git", "github.com/acme/shop"],
    ["https://github.com/acme/shop", "github.com/acme/shop"],
    ["https://ada:secret@github.com:443/acme/shop.git/", "github.com/acme/shop"],
    ["ssh://git@git.example.com:2222/acme//shop.git", "git.example.com:2222/acme/shop"],
    ["ssh://git@github.com:22/acme/shop", "github.com/acme/shop"],
    ["github.com/acme/shop", "github.com/acme/shop"],
    ["example.com:shop", "example.com/shop"],
    ["/srv/git/Shop.git", "/srv/git/shop"],
    ["file:///srv/git/shop.git", "/srv/git/shop"],
  ])("%s is compared as %s", (address, normal) => {
    expect(normalRepository(address)).toBe(normal);
    expect(normalRepository(normal)).toBe(normal);
  });

  test("a star at the end stands for every repository below, and for nothing beside it", () => {
    expect(isRepository("https://github.com/Acme/*", "git@github.com:acme/shop.git")).toBe(true);
    expect(isRepository("github.com/acme/*", "github.com/acme-evil/shop")).toBe(false);
    expect(isRepository("github.com/acme/*", "github.com/acme")).toBe(false);
    expect(isRepository("github.com/acme/shop", "github.com/acme/shop-2")).toBe(false);
  });
});
