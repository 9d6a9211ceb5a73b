import type { IncomingHttpHeaders } from 'node:http';
import { json, Refusal, type Reply } from './reply';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface ApiRequest {
  /** HEAD comes as GET: the server leaves the body out. */
  method: Method;
  /** Without the query, decoded, without a slash at its end. */
  path: string;
  /** By their names in the route. */
  parameters: Record<string, string>;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** Parsed JSON; undefined if none was sent. */
  body: unknown;
  /** As the client reaches this server, for example http://192.0.2.7:8010. */
  origin: string;
  /** Of the client. */
  remoteAddress: string;
  /**
   * Reserves room for characters of a long answer before they are made; in the end, what was sent counts.
   * @throws Refusal 503 if too many answers wait already
   */
  reserve(characters: number): void;
}

export type Handler = (request: ApiRequest) => Reply | Promise<Reply>;

interface Branch {
  fixed: Map<string, Branch>;
  parameter: { name: string; branch: Branch } | null;
  handlers: Map<string, Handler>;
}

const emptyBranch = (): Branch => ({ fixed: new Map(), parameter: null, handlers: new Map() });

/** Which handler answers which path; a slash at the end of a path makes no difference (IS-04 APIs, "Trailing Slashes"). */
export class Router {
  private readonly root = emptyBranch();

  /** @param route for example /x-nmos/query/v1.3/nodes/{nodeId} */
  on(method: Method, route: string, handler: Handler): void {
    let branch = this.root;
    for (const segment of segmentsOf(route)) branch = step(branch, segment);
    branch.handlers.set(method, handler);
  }

  /** The list of what is below a path, as every level of an NMOS API gives it. */
  list(route: string, children: readonly string[]): void {
    const reply = json(
      200,
      children.map((child) => `${child}/`),
    );
    this.on('GET', route, () => reply);
  }

  /**
   * @param path decoded
   * @throws Refusal 404 if no route has this path
   */
  find(path: string): Found {
    const segments = segmentsOf(path);
    const parameters: Record<string, string> = {};
    const branch = findBranch(this.root, segments, 0, parameters);
    if (!branch) throw new Refusal(404, `There is nothing at ${path}`);
    const methods = [...branch.handlers.keys()];
    if (methods.includes('GET')) methods.push('HEAD');
    return {
      ...{ parameters, allowed: [...methods, 'OPTIONS'] },
      handlerOf: (method) => branch.handlers.get(method === 'HEAD' ? 'GET' : method),
    };
  }
}

export interface Found {
  parameters: Record<string, string>;
  /** Methods that are answered there. */
  allowed: string[];
  handlerOf(method: string): Handler | undefined;
}

function segmentsOf(path: string): string[] {
  return path.replace(/^\/|\/$/g, '').split('/');
}

function step(branch: Branch, segment: string): Branch {
  const [, name] = /^\{(\w+)\}$/.exec(segment) ?? [];
  if (name !== undefined) {
    branch.parameter ??= { name, branch: emptyBranch() };
    return branch.parameter.branch;
  }
  const next = branch.fixed.get(segment) ?? emptyBranch();
  branch.fixed.set(segment, next);
  return next;
}

/** Fixed segments go before parameters. */
function findBranch(
  branch: Branch,
  segments: readonly string[],
  index: number,
  parameters: Record<string, string>,
): Branch | null {
  const segment = segments[index];
  if (segment === undefined) return branch.handlers.size > 0 ? branch : null;
  const fixed = branch.fixed.get(segment);
  const found = fixed && findBranch(fixed, segments, index + 1, parameters);
  if (found || !branch.parameter || segment === '') return found ?? null;
  parameters[branch.parameter.name] = segment;
  return findBranch(branch.parameter.branch, segments, index + 1, parameters);
}
