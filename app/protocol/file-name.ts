/** A name as part of the name of a file or folder; empty if nothing of it can be one. */
export function fileName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
}

/** Proposed for a plan that is saved. */
export function planFileName(plan: string): string {
  return `${fileName(plan) || 'plan'}.yaml`;
}
