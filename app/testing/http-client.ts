import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';

export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** What the text is as JSON. */
  body: unknown;
}

export interface HttpQuestion {
  method?: string;
  headers?: Record<string, string>;
  /** Sent as it is. */
  body?: string | Buffer;
  /** Sent as JSON. */
  json?: unknown;
}

/** One HTTP request on a connection of its own. */
export function ask(
  url: string,
  { method = 'GET', headers = {}, body, json }: HttpQuestion = {},
): Promise<HttpAnswer> {
  const sent = json === undefined ? body : JSON.stringify(json);
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: jsonOf(text) });
      });
    });
    request.on('error', reject);
    request.end(sent);
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
