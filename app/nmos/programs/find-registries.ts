import { Agent } from 'node:http';
import { connectionWords } from '../connection-words';
import { ask } from '../node/http-client';

const answerMs = 3000;

/** The registries of a run as this machine reaches them; or null, and why one of them cannot be used. */
export interface FoundRegistries {
  registries: string[] | null;
  why: string;
}

/** @param candidates of each registry, the URLs at which it may be reached; the first one that answers is taken */
export async function findRegistries(candidates: readonly (readonly string[])[]): Promise<FoundRegistries> {
  const agent = new Agent();
  try {
    const registries: string[] = [];
    for (const urls of candidates) {
      const answers = await Promise.all(urls.map((url) => whyUnusable(url, agent)));
      const url = urls[answers.indexOf(null)];
      if (url === undefined)
        return { registries: null, why: urls.map((one, index) => `${one} ${answers[index]}`).join('; ') };
      registries.push(url);
    }
    return { registries, why: '' };
  } finally {
    agent.destroy();
  }
}

/** As it follows the URL; null: a Registration API answers there. */
async function whyUnusable(url: string, agent: Agent): Promise<string | null> {
  try {
    const { status, body } = await ask({
      ...{ method: 'GET', url: `${url}/x-nmos/registration/`, timeoutMs: answerMs, agent },
    });
    return status === 200 && Array.isArray(body) ? null : `answers ${status}, and is no Registration API`;
  } catch (error) {
    return `does not answer: ${connectionWords(error)}`;
  }
}
