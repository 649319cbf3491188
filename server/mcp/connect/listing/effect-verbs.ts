import type { ToolEffect } from "@/contracts/tools/tools";

type ByEffect = Record<ToolEffect, readonly string[]>;

function words(text: string): string[] {
  return text.split(" ");
}

/** English verbs of tools' names and descriptions, by their effect on the world. */
export const englishVerbs: ByEffect = {
  destroy: words(
    "delete del remove rm drop purge destroy wipe clear erase truncate reset revoke terminate kill uninstall prune force overwrite cancel discard empty expire unpublish rollback revert nuke burn rid trash obliterate",
  ),
  write: words(
    "create add insert update upsert set write edit put patch post send upload publish deploy run execute exec start stop restart reboot move rename copy merge push commit submit approve reject assign unassign invite enable disable import sync archive unarchive close reopen click type fill press drag hover select pay buy transfer book order make generate render build register subscribe unsubscribe follow unfollow like comment reply react schedule trigger invoke modify change replace append attach detach link unlink mark toggle install configure save store record log pin unpin lock unlock mute unmute share grant fork clone mkdir touch apply scale resize rotate convert navigate open launch login logout authenticate connect disconnect complete remember forget draft forward star unstar transition download activate deactivate upgrade downgrade switch restore finalize ingest accept decline charge fax mail bill debit refund withdraw checkout",
  ),
  read: words(
    "get list read search find fetch query show describe view lookup look check count status info inspect browse validate compare calculate calc compute parse analyze analyse summarize summarise translate extract preview export ping echo resolve estimate watch diff explain whoami retrieve return see tell test verify detect discover identify recommend suggest monitor poll tail head stat scan crawl scrape ask provide display match autocomplete visualize",
  ),
};

/** English verbs that say too little in a description to count against a name that reads: `Run a search`, `Opens the log`. */
export const vagueVerbs = new Set(
  words(
    "run execute exec start make open log record like mark order book type post set select link follow scale touch store press complete head download build convert",
  ),
);

/**
 * Verbs of languages that separate words, without their accents: German by stem, Spanish and French by infinitive and third
 * person. What is also an English word is left out.
 */
const german: Record<ToolEffect, string> = {
  destroy: "losch loesch entfern vernicht verwerf stornier uberschreib ueberschreib leer widerruf zurucksetz zuruecksetz beend",
  write:
    "erstell anleg leg erzeug hinzufug hinzufueg fug fueg schreib aktualisier ander aender bearbeit setz send schick verschick hochlad ausfuhr ausfuehr fuhr fuehr speicher verschieb umbenenn benenn kopier veroffentlich veroeffentlich buch bestell bezahl zahl uberweis ueberweis eintrag installier aktivier deaktivier",
  read: "such find hol abruf ruf les lies zeig anzeig list auflist pruf pruef zahl zaehl berechn vergleich lad ermittl ermittel schau uebersetz ubersetz abfrag frag",
};
const germanEndings = ["en", "n", "t", "e", "et", "st", "ung"];
const romance: ByEffect = {
  destroy: words(
    "eliminar elimina borrar borra quitar quita suprimir suprime cancelar cancela vaciar vacia revocar revoca sobrescribir sobrescribe restablecer restablece supprimer supprime effacer efface enlever enleve retirer retire annuler annule vider vide detruire detruit revoquer revoque ecraser ecrase reinitialiser reinitialise",
  ),
  write: words(
    "crear crea agregar agrega anadir anade insertar inserta actualizar actualiza modificar modifica editar edita escribir escribe enviar envia guardar guarda subir sube publicar publica ejecutar ejecuta mover mueve renombrar renombra cambiar cambia pagar paga reservar reserva programar programa registrar registra creer cree ajouter ajoute inserer insere modifier modifie ecrire ecrit envoyer envoie enregistrer enregistre televerser televerse publier publie executer execute deplacer deplace renommer renomme changer payer paie reserver planifier planifie inscrire inscrit mettre",
  ),
  read: words(
    "obtener obtiene listar lista leer lee buscar busca mostrar muestra consultar consulta verificar verifica calcular calcula contar comparar compara traducir traduce devolver devuelve obtenir obtient lister lire lit chercher cherche rechercher recherche trouver trouve afficher affiche montrer montre consulter verifier verifie calculer calcule compter comparer traduire traduit renvoyer renvoie recuperer recupere",
  ),
};
/** Beginnings of Russian words: verbs in all their forms, and the nouns made from them. */
export const russianStems: ByEffect = {
  destroy: words("удал сотр стира стер очист очищ уничтож сброс отмен отзыв отозв перезапис"),
  write: words(
    "созда добав встав обнов измен изменя редакт запис запиш писа написа отправ загруз сохран публик опублик выполн запуст запуск перемест перенес переимен копир оплат заказать закажи заказыва заброни назнач установ устан задат перев",
  ),
  read: words("получ спис чита прочит прочес поиск искат найт наход показ посмотр просмотр провер счит посчит вычисл сравн запрос верн"),
};
/** Verbs of languages that do not separate words: Chinese, Japanese, Korean. */
export const joinedVerbs: ByEffect = {
  destroy: words(
    "删除 刪除 移除 清空 清除 销毁 銷毀 撤销 撤銷 重置 覆盖 覆蓋 取消 终止 終止 卸载 削除 消去 破棄 上書き 取り消 キャンセル リセット 삭제 제거 취소 초기화",
  ),
  write: words(
    "创建 創建 新建 新增 添加 增加 插入 更新 修改 编辑 編輯 写入 寫入 发送 發送 发布 發布 上传 上傳 执行 執行 运行 運行 保存 设置 設置 移动 移動 重命名 提交 下载 安装 启动 停止 支付 预订 作成 追加 変更 編集 書き込 書込 送信 投稿 実行 登録 設定 予約 生成 생성 추가 수정 전송 실행 저장 업데이트 등록",
  ),
  read: words(
    "获取 獲取 取得 查询 查詢 搜索 搜尋 查看 列出 读取 讀取 检查 檢查 显示 顯示 查找 返回 统计 計算 计算 检索 检测 翻译 一覧 検索 表示 確認 読み取 読み込 参照 調べ 조회 검색 목록 가져오 읽기 확인",
  ),
};

export const rank: Record<ToolEffect, number> = { read: 0, write: 1, destroy: 2 };
const effects = ["read", "write", "destroy"] as const;

/** A later, stricter effect takes the place of a milder one of the same word. */
const english = new Map(effects.flatMap((effect) => englishVerbs[effect].map((verb) => [verb, effect] as const)));
const foreign = new Map(
  effects.flatMap((effect) => [
    ...words(german[effect]).flatMap((stem) => germanEndings.map((ending) => [`${stem}${ending}`, effect] as const)),
    ...romance[effect].map((verb) => [verb, effect] as const),
  ]),
);

/** A word with an effect. `isForeign`: its language may put the verb anywhere, so that its place says nothing. */
export type Verb = { effect: ToolEffect; word: string; isForeign: boolean };

/** Finds the effect of one word of a name or description; also of an English third person: `Deletes`, `Copies`, `Pushes`. */
export function verbOf(word: string): Verb | null {
  const plain = /\p{Script=Latin}/u.test(word) ? word.normalize("NFKD").replace(/[\u0300-\u036f]/g, "") : word;
  for (const form of [plain, plain.replace(/ies$/, "y"), plain.replace(/s$/, ""), plain.replace(/es$/, "")]) {
    const effect = english.get(form);
    if (effect) return { effect, word, isForeign: false };
  }
  const effect = foreign.get(plain) ?? strictestOf((one) => russianStems[one].some((stem) => plain.startsWith(stem)));
  return effect ? { effect, word, isForeign: true } : joinedVerbOf(word);
}

function joinedVerbOf(text: string): Verb | null {
  const effect = strictestOf((one) => joinedVerbs[one].some((verb) => text.includes(verb)));
  const word = effect && joinedVerbs[effect].find((verb) => text.includes(verb));
  return word ? { effect, word, isForeign: true } : null;
}

const strictestOf = (has: (effect: ToolEffect) => boolean): ToolEffect | null => effects.findLast(has) ?? null;
