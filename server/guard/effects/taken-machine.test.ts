import { expect, test } from "vitest";
import { examples } from "@/server/testing/guard/examples";
import { takenMachine } from "./taken-machine";

test.each(examples`
  docker ¦ podman ¦ sudo ¦ su ¦ systemctl ¦ service ¦ apt ¦ crontab ¦ chroot ¦ mkfs.ext4 ¦ useradd
`)("%s with free arguments is this machine's root", (name) => expect(takenMachine(name)).toBe("this"));

test.each(["ssh", "kubectl", "ansible-playbook"])("%s with free arguments is the root of other machines", (name) => {
  expect(takenMachine(name)).toBe("another");
});

test.each(examples`
  ls ¦ git ¦ npm ¦ make ¦ curl ¦ python3 ¦ psql ¦ date ¦ hostname ¦ ip ¦ timeout ¦ no-such-program
`)("%s takes no machine", (name) => expect(takenMachine(name)).toBeNull());
