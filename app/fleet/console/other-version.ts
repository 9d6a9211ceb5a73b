/** What is said of agents that are of another version than the console, and what to do about it. */

interface Versioned {
  name: string;
  /** Of Whiteline there. */
  version: string;
}

/** How many agents are named; of the others a sentence gives the number. */
const mostNamed = 20;

/** Null: it is of this console’s version. */
export function otherVersion({ name, version }: Versioned, ours: string): string | null {
  if (version === ours) return null;
  const todo = isNewer(version, ours) ? updateHere(version) : `On ${name}: ${updateThere(ours, name)}`;
  return `It runs Whiteline ${version}, and this console ${ours}. ${todo}`;
}

/** All of them in one sentence, and one for what to do; null: none is of another version. */
export function otherVersions(agents: readonly Versioned[], ours: string): string | null {
  const others = agents.filter(({ version }) => version !== ours);
  if (others.length === 0) return null;
  const versions = [...new Set(others.map(({ version }) => version))];
  const told = versions.map((version) => {
    const names = others.filter((one) => one.version === version).map(({ name }) => name);
    return `${listed(names)} ${names.length === 1 ? 'runs' : 'run'} Whiteline ${version}`;
  });
  const older = others.filter(({ version }) => !isNewer(version, ours));
  const newest = versions.reduce((best, version) => (isNewer(version, best) ? version : best), ours);
  const todo = [
    older.length === 1 && `On ${older[0]?.name}: ${updateThere(ours, older[0]?.name ?? '')}`,
    older.length > 1 &&
      `On each${older.length < others.length ? ' of the older' : ''}: ${updateThere(ours, 'NAME')}`,
    newest !== ours && updateHere(newest),
  ];
  return [`${told.join(', ')}; this console is ${ours}`, ...todo].filter((part) => part !== false).join('. ');
}

function updateThere(ours: string, name: string): string {
  return `end the agent, install Whiteline ${ours}, and start it again: whiteline agent ${name}.join.json`;
}

function updateHere(theirs: string): string {
  return `On this machine: install Whiteline ${theirs}, and start the console again`;
}

function listed(names: readonly string[]): string {
  const more = names.length - mostNamed;
  const parts = more > 0 ? [...names.slice(0, mostNamed), `${more} more`] : names;
  return parts.length === 1 ? `${parts[0]}` : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** By its numbers; a version without any is taken for an older one. */
function isNewer(version: string, than: string): boolean {
  return version.localeCompare(than, 'en', { numeric: true }) > 0 && /^\d+\.\d+/.test(version);
}
