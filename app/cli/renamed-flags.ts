import type { Command } from 'commander';

/** Flags that had another name: the present ones, of which a command has at most one. */
const renamed: Readonly<Record<string, readonly string[]>> = {
  '--clip': ['--clip-length'],
  '--domain': ['--dns-domain'],
  '--duration': ['--hold'],
  '--folder': ['--content-folder'],
  '--frames': ['--duration'],
  '--host': ['--listen'],
  '--listen': ['--listen-interface', '--duration'],
  '--namespaces': ['--in-namespaces'],
  '--network-interface': ['--interface'],
  '--nmos-host': ['--nmos-listen'],
  '--only': ['--clips'],
  '--pass': ['--hold'],
  '--passes': ['--repeats'],
  '--priority': ['--announced-priority'],
  '--retry': ['--dns-sd-retry'],
  '--seconds': ['--duration', '--clip-length'],
  '--sources': ['--source'],
  '--start': ['--start-mode'],
  '--wait': ['--duration'],
};

/** Names the present flag where one is typed by a name that it had. For all commands of a program, once it is complete. */
export function suggestPresentFlags(command: Command): void {
  for (const each of command.commands) suggestPresentFlags(each);
  const { outputError } = command.configureOutput();
  command.configureOutput({
    outputError: (text, write) => outputError?.(withSuggestion(text, command), write),
  });
}

function withSuggestion(text: string, command: Command): string {
  const [, sentence = '', flag = ''] = /^(error: unknown option '(--[\w-]+)[^']*')/.exec(text) ?? [];
  const present = renamed[flag]?.find((name) => command.options.some(({ long }) => long === name));
  return present === undefined ? text : `${sentence}\n(Did you mean ${present}?)\n`;
}
