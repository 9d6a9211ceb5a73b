/** Answers of NMOS APIs, and the one form of a refusal (IS-04 APIs, "Error Codes & Responses"). */

export interface Reply {
  status: number;
  headers?: Record<string, string>;
  /** As it is sent. */
  body?: string;
  /** Of the body; JSON where it is not given. */
  contentType?: string;
}

export function json(status: number, value: unknown, headers?: Record<string, string>): Reply {
  return { status, body: JSON.stringify(value), headers };
}

/** With a body that is JSON already. */
export function serialized(status: number, body: string, headers?: Record<string, string>): Reply {
  return { status, body, headers };
}

export function text(status: number, contentType: string, body: string): Reply {
  return { status, contentType, body };
}

export function noContent(): Reply {
  return { status: 204 };
}

/** What a handler throws to refuse a request: status 400 to 599, a sentence for people, and details for programmers. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly debug: string | null = null,
    readonly headers?: Record<string, string>,
  ) {
    super(message);
    this.name = 'Refusal';
  }

  reply(): Reply {
    const { status, message, debug, headers } = this;
    return json(status, { code: status, error: message, debug }, headers);
  }
}
