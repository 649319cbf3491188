import { expect, it } from "vitest";
import { effectLines } from "@/server/testing/guard/effect-lines";

/** Commands and their effects. */
const commands: readonly (readonly [string, string])[] = [
  ["tar xzf a.tgz", "read inside a.tgz; write inside . recursive"],
  ["tar -xf a.tar", "read inside a.tar; write inside . recursive"],
  ["tar xPf a.tar", "read inside a.tar; write inside . recursive; write not_known"],
  ["tar --extract --absolute-names --file=a.tar", "read inside a.tar; write inside . recursive; write not_known"],
  ["tar xfC a.tar ../x", "read inside a.tar; write outside ../x recursive"],
  ["tar xCf ../x a.tar", "read inside a.tar; write outside ../x recursive"],
  ["tar -xf a.tar -C build", "read inside a.tar; write inside build recursive"],
  ["tar xOf a.tar file", "read inside a.tar"],
  ["tar -xOf a.tar -C build", "read inside a.tar; read inside build recursive"],
  ["tar tf a.tar", "read inside a.tar"],
  ["tar -tvf a.tar", "read inside a.tar"],
  ["tar df a.tar src", "read inside a.tar; read inside src recursive"],
  ["tar tf host:a.tar", "connect outside host"],
  ["tar -cf host:a.tar src", "send outside host; read inside src recursive"],
  ["tar czf a.tgz src", "write inside a.tgz; read inside src recursive"],
  ["tar -cf a.tar -C /etc .", "write inside a.tar; read outside /etc recursive; read inside . recursive"],
  ["tar --delete -f a.tar src", "write inside a.tar"],
  ["tar cfTX a.tar list skip", "read inside list; read not_known; read inside skip; write inside a.tar"],
  ["tar xIf gzip a.tar", "execute not_known; read inside a.tar; write inside . recursive; !shell.runs_command"],
  ["tar xf", "write inside . recursive"],
  ["tar xfC a.tar", "read inside a.tar; write inside . recursive"],
  ["tar", ""],
  ["unzip a.zip", "write inside . recursive; read inside a.zip"],
  ["unzip -l a.zip", "read inside a.zip"],
  ["unzip a.zip -d ../x", "write outside ../x recursive; read inside a.zip"],
  ["unzip", ""],
  ["7z x a.7z -o../x", "write not_known; read inside a.7z"],
  ["7z l a.7z", "read inside a.7z"],
  ["unar -o out a.rar", "write inside out; write not_known; read inside a.rar"],
  ["7z", ""],
];

it.each(commands)("%s: an archive is read, what it holds is written", (command, effects) => expect(effectLines(command)).toBe(effects));
