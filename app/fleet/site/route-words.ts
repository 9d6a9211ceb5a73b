const notReached =
  /^Error trying to connect to route \(attempt \d+\): dial tcp (\S+:\d+): (?:connect: )?(.*)$/;
const reached = /^(\S+:\d+) - rid:\d+ - Route connection created$/;

/** What a server says of the other ones of its fleet, in plain words and once: it tries each second, and says so each time. */
export class RouteWords {
  private readonly lost = new Set<string>();

  /** Undefined: the line is of something else; null: it is no news. */
  of(line: string): string | null | undefined {
    const [, lost, why] = notReached.exec(line) ?? [];
    if (lost !== undefined) {
      if (this.lost.has(lost)) return null;
      this.lost.add(lost);
      return `The server of the fleet at ${lost} is not reached (${why}); it is tried until it answers`;
    }
    const [, found] = reached.exec(line) ?? [];
    if (found === undefined) return undefined;
    // A route that another server opened comes from any port, and was never reported as missing.
    return this.lost.delete(found) ? `The server of the fleet at ${found} is reached` : null;
  }
}
