import { readdirSync, readFileSync } from 'node:fs';

export interface HostIds {
  sending: number;
  receiving: number;
}

/** The stream hosts among a process's children, distinguished by the role on their command line. */
export function hostIds(parentId: number): HostIds {
  const find = (role: keyof HostIds): number => {
    const id = childrenOf(parentId).find((child) => commandLineOf(child).includes(role));
    if (id === undefined) throw new Error(`no ${role} host runs`);
    return id;
  };
  return { sending: find('sending'), receiving: find('receiving') };
}

function childrenOf(parentId: number): number[] {
  const threads = `/proc/${parentId}/task`;
  return readdirSync(threads)
    .flatMap((thread) => readFileSync(`${threads}/${thread}/children`, 'latin1').split(' '))
    .filter((id) => id !== '')
    .map(Number);
}

function commandLineOf(processId: number): string[] {
  return readFileSync(`/proc/${processId}/cmdline`, 'utf8').split('\0');
}
