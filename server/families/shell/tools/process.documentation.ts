/** Documentation of process beyond its description. */
export const processDocumentation = `
Use it for a program that goes on after the call: a development server, a watcher, a program that asks questions. A command that ends by
itself is shell_execute, in the background when it takes minutes.

1. {"action":"start","command":"npm run dev"} answers an id such as proc_1a2b3c4d, and the first output.
2. {"action":"poll","id":"proc_1a2b3c4d","waitSeconds":20} answers only output since the last answer, and waits for it. Poll until the
   server says that it listens, then use shell_execute: curl -s http://127.0.0.1:3000/.
3. {"action":"write","id":"proc_1a2b3c4d","command":"yes"} types a line. enter: false leaves out Enter, and closeInput: true ends the input.
4. {"action":"kill","id":"proc_1a2b3c4d"} when it is not needed any more.

- Send pty: true for a program that asks only on a terminal, or that draws a prompt.
- log shows everything again, of a long output its beginning and end. list shows the processes of this conversation.
- Processes of one conversation share a network of their own. hosts names the public hosts that a process needs.
- A process ends with its server: after a restart list says "lost", and start begins it again.`.trim();
