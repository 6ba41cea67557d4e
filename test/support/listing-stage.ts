import { expect } from 'vitest';
import { listFunnels, updateFunnel } from '#contracts/funnels.ts';
import {
  archiveInterview,
  listInterviews,
  saveSummary,
  saveTranscript,
  setDestination,
  unarchiveInterview,
  updateDuration,
} from '#contracts/interviews.ts';
import { mergePage } from '#server/features/interviews/merge-page.ts';
import type { Person } from './call.ts';
import { insertInterviews } from './insert-interviews.ts';
import { type ModelInterview, type ModelQuery, modelList } from './listing-model.ts';
import type { TestApp } from './start-app.ts';

/** `funnelId` is an index, not an id. */
export type ListingChange =
  | { kind: 'archive' | 'unarchive' | 'delete' | 'send'; id: string }
  | { kind: 'transcript' | 'summary'; id: string; text: string }
  | { kind: 'refresh'; id: string; title: string; recordedAt: string; funnelId: number }
  | { kind: 'measure'; id: string; seconds: number }
  | { kind: 'rename'; funnelId: number; client: string | null };

/** The clients of the three funnels at the beginning. */
export const FIRST_CLIENTS = ['Mercy', 'Nurse & Co', 'Ärzte'];

/** Applies each change to the product and to the model, and compares their lists. */
export class ListingStage {
  readonly product: TestApp;
  readonly recruiter: Person;
  readonly funnelIds: number[];
  interviews: ModelInterview[] = [];
  clients = new Map<number, string | null>();

  constructor(product: TestApp, recruiter: Person, funnelIds: number[]) {
    this.product = product;
    this.recruiter = recruiter;
    this.funnelIds = funnelIds;
  }

  async begin(interviews: readonly ModelInterview[]): Promise<void> {
    await this.product.db.deleteFrom('interview').execute();
    this.interviews = interviews.map((one) => ({ ...one, funnelId: this.#funnel(one.funnelId) }));
    if (this.interviews.length > 0)
      await insertInterviews(
        this.product.db,
        this.interviews.map(({ transcript, summary, ...one }) => ({
          ...one,
          transcript: transcript ?? undefined,
          summary: summary ?? undefined,
        })),
      );
    for (const [nth, client] of FIRST_CLIENTS.entries()) await this.#rename(nth, client);
  }

  async check({ funnelId, ...rest }: ModelQuery): Promise<void> {
    const query = { ...rest, funnelId: funnelId.map((nth) => this.#funnel(nth)) };
    const listed = await this.recruiter.call(listInterviews, { query: { ...query, texts: 'false' } });
    expect({ ids: listed.interviews.map((one) => one.id), total: listed.total }).toEqual(
      modelList(this.interviews, this.clients, query),
    );
  }

  async checkFunnels(): Promise<void> {
    const funnels = await this.recruiter.call(listFunnels, {});
    const listed = this.interviews.filter(({ archived }) => !archived);
    expect(funnels.map(({ id, interviewCount }) => [id, interviewCount])).toEqual(
      funnels.map(({ id }) => [id, listed.filter(({ funnelId }) => funnelId === id).length]),
    );
  }

  async apply(change: ListingChange): Promise<void> {
    if (change.kind === 'rename') return this.#rename(change.funnelId, change.client);
    const known = this.interviews.find((one) => one.id === change.id);
    if (change.kind === 'refresh') return this.#refresh(change, known);
    if (!known) return;
    const params = { id: known.id };
    switch (change.kind) {
      case 'archive':
        await this.recruiter.call(archiveInterview, { params });
        known.archived = true;
        return;
      case 'unarchive':
        await this.recruiter.call(unarchiveInterview, { params });
        known.archived = false;
        return;
      case 'delete':
        await this.product.db.deleteFrom('interview').where('id', '=', known.id).execute();
        this.interviews = this.interviews.filter((one) => one !== known);
        return;
      case 'send':
        await this.recruiter.call(setDestination, { params, body: { destinationId: 'BUB-B-2' } });
        known.destinationId = 'BUB-B-2';
        return;
      case 'measure':
        await this.recruiter.call(updateDuration, { params, body: { duration: change.seconds } });
        known.seconds = change.seconds;
        return;
      case 'transcript':
        await this.recruiter.call(saveTranscript, { params, body: { transcriptionText: change.text } });
        Object.assign(known, { transcript: change.text, transcriptionStatus: 'completed' });
        return;
      case 'summary':
        await this.recruiter.call(saveSummary, { params, body: { summaryText: change.text } });
        Object.assign(known, { summary: change.text, summaryStatus: 'completed' });
    }
  }

  /** Leaves archived interviews and other funnels unchanged. */
  async #refresh(
    change: Extract<ListingChange, { kind: 'refresh' }>,
    known: ModelInterview | undefined,
  ): Promise<void> {
    const { id, title } = change;
    const funnelId = this.#funnel(change.funnelId);
    const recordedAt = new Date(change.recordedAt);
    const rest = {
      description: null,
      candidateName: null,
      candidateEmail: 'ana@example.com',
      candidatePhone: null,
      durationSeconds: 0,
      url: null,
      videoUrl: null,
      thumbnailUrl: null,
      questions: [],
      segments: [],
      transcript: null,
    };
    await this.product.db
      .transaction()
      .execute((tx) =>
        mergePage(tx, funnelId, [{ id, title, recordedAt, createdAt: recordedAt, updatedAt: null, ...rest }]),
      );
    if (known && (known.archived || known.funnelId !== funnelId)) return;
    const facts = { title, recordedAt: change.recordedAt, candidateName: null, candidateEmail: 'ana@example.com' };
    if (known) Object.assign(known, facts);
    else this.interviews.push({ ...NOTHING, id, funnelId, ...facts });
  }

  async #rename(nth: number, client: string | null): Promise<void> {
    const funnelId = this.#funnel(nth);
    const body = { name: 'Funnel', apiKey: 'key', funnelId: `funnel-${nth}`, clientName: client };
    await this.recruiter.call(updateFunnel, { params: { id: funnelId }, body });
    this.clients.set(funnelId, client);
  }

  #funnel(nth: number): number {
    return this.funnelIds[nth] ?? 0;
  }
}

const NOTHING = {
  seconds: 0,
  archived: false,
  transcript: null,
  summary: null,
  youtubeId: null,
  destinationId: null,
  youtubeStatus: null,
  transcriptionStatus: null,
  summaryStatus: null,
};
