import { describe, expect, test } from "vitest";
import type { Row } from "../../store/state";
import { Geometry } from "../geometry";

const rows = (from: number, to: number): Row[] =>
  Array.from({ length: to - from }, (_, at) => ({ kind: "message", id: `m${from + at}`, order: from + at }));

describe("where rows stand", () => {
  test("follows what was measured", () => {
    const geometry = new Geometry(() => 100);
    geometry.setRows(rows(0, 10));
    expect(geometry.total).toBe(1_000);
    expect(geometry.measure(2, 250)).toBe(true);
    expect(geometry.measure(2, 250)).toBe(false);
    expect([geometry.top(2), geometry.top(3), geometry.total]).toEqual([200, 450, 1_150]);
    expect([geometry.at(-5), geometry.at(449), geometry.at(450), geometry.at(9_999)]).toEqual([0, 2, 3, 9]);
  });

  test("keeps what was measured when older rows come in above", () => {
    const geometry = new Geometry(() => 100);
    const recent = rows(50, 60);
    geometry.setRows(recent);
    geometry.measure(0, 40);
    geometry.setRows([...rows(0, 50), ...recent]);
    expect(geometry.top(51) - geometry.top(50)).toBe(40);
    expect(geometry.top(50)).toBe(5_000);
  });

  test("web_05_a_row_more_costs_nothing_however_many_there_are", () => {
    const geometry = new Geometry(() => 60);
    const many = rows(0, 100_000);
    geometry.setRows(many);
    void geometry.total;
    const began = process.cpuUsage();
    let list = many;
    for (let n = 0; n < 50; n += 1) {
      list = [...list, { kind: "message", id: `n${n}`, order: 100_000 + n }];
      geometry.setRows(list);
      geometry.measure(list.length - 1, 33);
      geometry.at(geometry.total - 500);
    }
    expect(process.cpuUsage(began).user / 1_000).toBeLessThan(500);
  });

  test("is right after rows changed their places", () => {
    const geometry = new Geometry((row) => row.order + 1);
    const [a, b, c] = rows(0, 3) as [Row, Row, Row];
    geometry.setRows([a, b, c]);
    geometry.setRows([b, a, c]);
    expect(geometry.total).toBe(6);
  });
});
