import { expect, it } from "vitest";
import { unknownPiece } from "../script/words";
import { addressesInCode, commandsInCode, runsDownload } from "./commands-in-code";

it.each([
  ["python3", "import os; os.system('ls -la')", ["ls -la"]],
  ["python3", 'subprocess.run(["rm", "-rf", "a b"])', ["rm -rf 'a b'"]],
  ["python3", "subprocess.run('ls', shell=True)", ["ls"]],
  ["python3", "os.popen(command)", []],
  ["python3", "exec('import os')", []],
  ["python3", "os.system('it\\'s')", ["it's"]],
  ["python3", "os.system('')", []],
  ["python3", `os.system('ls ${unknownPiece}')`, []],
  ["node", "execSync(`ls`, { cwd: 'x' }); spawn('rm', ['-rf', 'x'])", ["ls", "rm -rf x"]],
  ["node", "execSync(`ls ${name}`)", []],
  ["perl", 'exec "ls"; print `id`; qx{date}; print qx(pwd)', ["ls", "id", "date", "pwd"]],
  ["ruby", "puts %x[uptime], %x(whoami)", ["uptime", "whoami"]],
  ["php", "shell_exec('id');", ["id"]],
  ["lua", 'os.execute("ls"); io.popen("id")', ["ls", "id"]],
  ["awk", 'BEGIN { "date" | getline x; print "ls" | "sh"; print x | "wc -l"; system("id") }', ["id", "date", "ls", "sh", "wc -l"]],
  ["sed", "1e date\ns/a/b/", ["date"]],
  ["tclsh", "puts hello", []],
])("%s starts what its text writes out: %s", (program, text, commands) => expect(commandsInCode(program, text)).toEqual(commands));

it("looks at no more than twenty commands and twenty thousand characters", () => {
  expect(commandsInCode("python3", "os.system('ls')\n".repeat(50))).toHaveLength(20);
  expect(commandsInCode("python3", `${" ".repeat(20_000)}os.system('ls')`)).toEqual([]);
});

it.each([
  ["exec(urllib.request.urlopen('https://example.com/x').read())", true],
  ["eval(file_get_contents('https://example.com/x'));", true],
  ["eval URI.open('https://example.com/x').read", true],
  ["fetch('https://example.com/x').then(r => r.text()).then(eval)", true],
  ["print(urllib.request.urlopen('https://example.com/x').read())", false],
  ["eval('1 + 1')", false],
])("%s runs what it fetches: %s", (text, runs) => expect(runsDownload(text)).toBe(runs));

it.each([
  ["requests.get('https://example.com/a'); requests.get(\"https://example.com/a\")", ["https://example.com/a"]],
  ["fetch('http://169.254.169.254/')", ["http://169.254.169.254/"]],
  ["print('see https://example.com/a')", []],
])("%s speaks to %j", (text, addresses) => expect(addressesInCode(text)).toEqual(addresses));
