export type ListName = 'discoveryServers' | 'searchHosts' | 'ndiGroups';

/** A list as it is typed: with commas, spaces or both between its entries. */
export function listOf(typed: string): string[] {
  return typed.split(/[\s,;]+/).filter((entry) => entry !== '');
}
